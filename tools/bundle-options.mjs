// How a program becomes one file, for the apps and for the programs of tests and benchmarks.
import { fileURLToPath } from 'node:url';

// Bundled CommonJS dependencies call require() for Node's own modules; an ES module has none unless it makes one.
const banner = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;
const undiciCore = fileURLToPath(new URL('../packages/base/bundle/undici-core.cjs', import.meta.url));

/** Only our own HTTP client asks for undici by its name alone; what else comes along keeps the whole one. */
const slimUndici = {
  name: 'slim-undici',
  setup: (build) =>
    build.onResolve({ filter: /^undici$/ }, ({ importer }) =>
      /packages[\\/]base[\\/]src[\\/]/.test(importer) ? { path: undiciCore } : undefined,
    ),
};

/** Options for esbuild, without entry and output. */
export const bundleOptions = {
  bundle: true,
  // What is imported on demand (credential plugins of kubeconfigs) stays out of the file that every start reads.
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  banner: { js: banner },
  plugins: [slimUndici],
};
