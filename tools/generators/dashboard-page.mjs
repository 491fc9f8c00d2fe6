// The dashboard's page as one module: the programs that serve it are single files without folders beside them.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** Generator for tools/generate.mjs. */
export const name = 'dashboard-page';
const output = 'packages/dashboard/src/gen/page.json';
export const outputs = [output];

const source = (file) =>
  readFile(fileURLToPath(new URL(`../../packages/dashboard/src/page/${file}`, import.meta.url)), 'utf8');
const minified = async (file, loader) =>
  (await transform(await source(file), { loader, minify: true, target: 'es2022' })).code;

/** Repository path → content. */
export const run = async () => {
  const page = {
    html: (await source('page.html')).replace(/\n\s+/g, '\n'),
    css: await minified('page.css', 'css'),
    js: await minified('page.js', 'js'),
  };
  return new Map([[output, `${JSON.stringify(page, undefined, 2)}\n`]]);
};
