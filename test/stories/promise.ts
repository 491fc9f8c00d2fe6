/** What the product promises: throws the sentence that names the violation. */
export const promise = (kept: boolean, violation: string): void => {
  if (!kept) throw new Error(violation);
};
