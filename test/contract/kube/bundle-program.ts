import { build } from 'esbuild';

const banner = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

/** Bundles the program at `entry` into a file that Node runs as it is. */
export const bundleProgram = async (entry: string, outfile: string): Promise<string> => {
  const format = { platform: 'node', format: 'esm', target: 'node20.19', banner: { js: banner } } as const;
  await build({ entryPoints: [entry], outfile, bundle: true, logLevel: 'error', ...format });
  return outfile;
};
