import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'vcenter-profiles';
export const outputs = ['docs/reference/vcenter-profiles.md'];

/** Repository path → content. */
export const run = async () => {
  const { renderVCenterProfiles } = await loadTypeScript(
    fileURLToPath(new URL('vcenter-profiles.ts', import.meta.url)),
  );
  return renderVCenterProfiles();
};
