import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'cli-reference';
export const outputs = ['docs/reference/cli.md'];

/** Repository path → content. */
export const run = async () => {
  const { renderCliReference } = await loadTypeScript(fileURLToPath(new URL('cli-reference.ts', import.meta.url)));
  return renderCliReference();
};
