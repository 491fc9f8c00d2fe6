// What tools/matrix.mjs uses of the project, as one module that esbuild makes importable.
export { forFirstOperators } from '@vdo/releases/first-operators';
export { acceptMatrix, parseMatrix } from '@vdo/releases/matrix';
export { keyIdOf, signMatrix, verifyMatrix } from '@vdo/releases/matrix-signature';
export { compareReleases } from '@vdo/releases/versions';
