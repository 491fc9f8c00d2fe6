let last = 0;

/**
 * Which of two things in this process came first. Clocks do not tell: an attempt that begins in the same millisecond in which a
 * request was sent may have begun after it.
 */
export const nextOrder = (): number => {
  last += 1;
  return last;
};
