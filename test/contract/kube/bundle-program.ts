import { basename, dirname } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../../tools/bundle-options.mjs';

/** Bundles the program at `entry` as the apps are bundled, into a file (and chunks beside it) that Node runs as it is. */
export const bundleProgram = async (entry: string, outfile: string): Promise<string> => {
  const output = { outdir: dirname(outfile), entryNames: basename(outfile).replace(/\.[^.]+$/, '') };
  const outExtension = { '.js': /\.[^.]+$/.exec(outfile)?.[0] ?? '.js' };
  await build({ ...bundleOptions, ...output, outExtension, entryPoints: [entry], logLevel: 'error' });
  return outfile;
};
