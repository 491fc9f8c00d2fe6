// The dashboard's page as one module: the programs that serve it are single files without folders beside them.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

/** Generator for tools/generate.mjs. */
export const name = 'dashboard-page';
const output = 'packages/dashboard/src/gen/page.json';
export const outputs = [output];

const folder = fileURLToPath(new URL('../../packages/dashboard/src/page/', import.meta.url));
const source = (file) => readFile(`${folder}${file}`, 'utf8');

const script = async () => {
  const { outputFiles } = await build({
    entryPoints: [`${folder}main.tsx`],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
  });
  return outputFiles[0].text;
};

/** Repository path → content. */
export const run = async () => {
  const page = {
    html: (await source('page.html')).replace(/\n\s+/g, '\n'),
    css: (await transform(await source('page.css'), { loader: 'css', minify: true, target: 'es2022' })).code,
    js: await script(),
  };
  return new Map([[output, `${JSON.stringify(page, undefined, 2)}\n`]]);
};
