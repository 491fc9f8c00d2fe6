import type { Matrix } from './matrix.ts';

/**
 * The matrix without the keys that came after v0.1.0, whose operator refuses a matrix with keys that it does not know and goes on with
 * the one before. Without them, newer operators go back within a minor release only, and the matrix does not expire.
 */
export const forFirstOperators = ({ notAfter: _, ...matrix }: Matrix): Matrix => ({
  ...matrix,
  releases: matrix.releases.map(({ downgradeTo: __, ...release }) => release),
});
