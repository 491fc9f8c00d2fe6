/** A part of a kubeconfig as it was written. */
export type Settings = Readonly<Record<string, unknown>>;

/** A setting that is text and not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
