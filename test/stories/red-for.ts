/** What the product promises: throws the sentence that names the violation. */
export const promise = (kept: boolean, violation: string): void => {
  if (!kept) throw new Error(violation);
};

/**
 * For `it.fails`: a story that is red, and for this reason alone. It fails with an error that matches; any other failure is printed and
 * counts as a pass, so that `it.fails` turns red and somebody looks.
 */
export const redFor = (reason: RegExp, story: () => Promise<void>) => async (): Promise<void> => {
  try {
    await story();
  } catch (error) {
    if (error instanceof Error && reason.test(error.message)) throw error;
    console.error(`The story did not fail for ${reason} but for another reason:`, error);
  }
};
