import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const banner = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

/** Bundles a program of `programs/` into a file that Node runs as it is. */
export const bundleProgram = async (name: string, outfile: string): Promise<string> => {
  const entry = fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url));
  const format = { platform: 'node', format: 'esm', target: 'node20.19', banner: { js: banner } } as const;
  await build({ entryPoints: [entry], outfile, bundle: true, logLevel: 'error', ...format });
  return outfile;
};
