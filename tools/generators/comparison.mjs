import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'comparison';
export const outputs = ['docs/explanation/comparison.md'];

/** Repository path → content. */
export const run = async () => {
  const { renderComparison } = await loadTypeScript(fileURLToPath(new URL('comparison.ts', import.meta.url)));
  return renderComparison();
};
