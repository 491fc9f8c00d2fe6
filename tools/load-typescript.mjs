// Lets a generator use the project's own TypeScript: Node 20 cannot import it, esbuild can make it importable.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// Bundled CommonJS dependencies call require() for Node's own modules; an ES module has none unless it makes one.
const banner = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

/** Bundles the TypeScript module at `entry` (an absolute path) with all it imports, and returns its exports. */
export const loadTypeScript = async (entry) => {
  const folder = await mkdtemp(join(tmpdir(), 'vdo-load-'));
  const outfile = join(folder, 'bundle.mjs');
  try {
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      banner: { js: banner },
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
