let last = 0;

/**
 * Which of two events in this process came first. A clock cannot decide this: an attempt that begins in the same millisecond in which a
 * request was sent may have begun after it.
 */
export const nextOrder = (): number => {
  last += 1;
  return last;
};
