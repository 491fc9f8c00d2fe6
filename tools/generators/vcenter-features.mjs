import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'vcenter-features';
export const outputs = ['docs/reference/vcenter-features.md'];

/** Repository path → content. */
export const run = async () => {
  const { renderVCenterFeatures } = await loadTypeScript(
    fileURLToPath(new URL('vcenter-features.ts', import.meta.url)),
  );
  return renderVCenterFeatures();
};
