import type { Matrix } from './matrix.ts';

/**
 * The matrix without the keys that were added after v0.1.0. The operator of v0.1.0 refuses a matrix with unknown keys and continues with
 * the previous one. Without these keys, newer operators roll back only within a minor release, and the matrix does not expire.
 */
export const forFirstOperators = ({ notAfter: _, ...matrix }: Matrix): Matrix => ({
  ...matrix,
  releases: matrix.releases.map(({ downgradeTo: __, ...release }) => release),
});
