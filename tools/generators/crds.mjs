import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'crds';
export const outputs = ['deploy/crds/'];

/** Repository path → content. */
export const run = async () => {
  const { renderCrds } = await loadTypeScript(fileURLToPath(new URL('crds.ts', import.meta.url)));
  return renderCrds();
};
