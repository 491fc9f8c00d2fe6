// Bundles each app into apps/<app>/dist/main.js. Node loads one file instead of hundreds: start-up and memory depend on it.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const apps = readdirSync(join(root, 'apps')).filter((app) => existsSync(join(root, 'apps', app, 'src/main.ts')));

// Bundled CommonJS dependencies call require() for Node's own modules; an ES module has none unless it makes one.
const banner = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

await Promise.all(
  apps.map((app) =>
    build({
      entryPoints: [join(root, 'apps', app, 'src/main.ts')],
      outfile: join(root, 'apps', app, 'dist/main.js'),
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      sourcemap: 'linked',
      banner: { js: banner },
      logLevel: 'warning',
    }),
  ),
);
