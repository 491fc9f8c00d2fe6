// What the scripts beside it use of TypeScript, as one module that esbuild makes importable.
export { loadReleaseSettings } from '@vdo/releases/release-settings';
export { sbomOf } from '../image/sbom.ts';
export { tarOf } from '../image/tar.ts';
