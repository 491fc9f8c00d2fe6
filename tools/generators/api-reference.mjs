import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'api-reference';
export const outputs = [
  'docs/reference/api.md',
  'deploy/compatibility-matrix.schema.json',
  'deploy/release-settings.schema.json',
];

/** Repository path → content. */
export const run = async () => {
  const { renderApiReference } = await loadTypeScript(fileURLToPath(new URL('api-reference.ts', import.meta.url)));
  return renderApiReference();
};
