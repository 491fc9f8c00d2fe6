// The dashboard's page as one module: the programs that serve it are single files without folders beside them.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Generator for tools/generate.mjs. */
export const name = 'dashboard-page';
const output = 'packages/dashboard/src/gen/page.json';
export const outputs = [output];

const folder = fileURLToPath(new URL('../../packages/dashboard/src/page/', import.meta.url));

const bundle = async (file, options = {}) => {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [`${folder}${file}`],
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    legalComments: 'none',
  });
  return outputFiles[0].text;
};

/** Repository path → content. */
export const run = async () => {
  const page = {
    html: (await readFile(`${folder}page.html`, 'utf8')).replace(/\n\s+/g, '\n'),
    css: await bundle('page.css'),
    js: await bundle('main.tsx', { format: 'iife', jsx: 'automatic', jsxImportSource: 'preact' }),
  };
  return new Map([[output, `${JSON.stringify(page, undefined, 2)}\n`]]);
};
