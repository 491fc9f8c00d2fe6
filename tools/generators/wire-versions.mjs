import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'wire-versions';
export const outputs = ['packages/vsphere/src/wire/gen/wire-versions.ts'];

/** Repository path → content. */
export const run = async () => {
  const { renderWireVersions } = await loadTypeScript(fileURLToPath(new URL('wire-versions.ts', import.meta.url)));
  return renderWireVersions();
};
