// How a program becomes one file, for the apps and for the programs of tests and benchmarks.
import { fileURLToPath } from 'node:url';

// Bundled CommonJS dependencies call require() for Node's own modules; an ES module has none unless it makes one.
const banner = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;
const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const unused = inRoot('packages/base/bundle/unused.cjs');
const ofBase = /packages[\\/]base[\\/]src[\\/]/;

/** Dependencies of which a part is enough, by who asks for them: what else comes along keeps the whole. */
const trimmed = [
  { filter: /^undici$/, importer: ofBase, path: inRoot('packages/base/bundle/undici-core.cjs') },
  { filter: /^prom-client$/, importer: ofBase, path: inRoot('packages/base/bundle/prom-client-core.cjs') },
  // pino writes from another thread only when configured to.
  { filter: /^thread-stream$/, importer: /[\\/]pino[\\/]lib[\\/]/, path: unused },
  {
    filter: /^@grpc\/grpc-js$/,
    importer:
      /(packages[\\/]csi-proto[\\/]src[\\/]rpc[\\/](serve-grpc|grpc-status)|apps[\\/]csi[\\/]src[\\/]loops[\\/])/,
    path: inRoot('packages/csi-proto/bundle/grpc-server-core.cjs'),
  },
  // Servers of grpc-js make clients only for its services channelz and ORCA, which nobody serves here.
  { filter: /^(\.\/make-client|@grpc\/proto-loader)$/, importer: /grpc-js[\\/].*(channelz|orca)\.js$/, path: unused },
];

const trim = {
  name: 'trim',
  setup: (build) => {
    for (const { filter, importer, path } of trimmed)
      build.onResolve({ filter }, (asked) => (importer.test(asked.importer) ? { path } : undefined));
  },
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
  plugins: [trim],
};
