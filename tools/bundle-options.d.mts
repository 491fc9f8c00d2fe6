import type { BuildOptions } from 'esbuild';

/** Options for esbuild, without entry and output. */
export const bundleOptions: BuildOptions;
