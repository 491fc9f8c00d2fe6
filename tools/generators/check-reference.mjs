import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'check-reference';
export const outputs = ['docs/reference/checks.md'];

/** Repository path → content. */
export const run = async () => {
  const { renderCheckReference } = await loadTypeScript(fileURLToPath(new URL('check-reference.ts', import.meta.url)));
  return renderCheckReference();
};
