import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'operator-manifest';
export const outputs = [
  'deploy/operator.yaml',
  'deploy/operator-guard.yaml',
  'deploy/cni-role.yaml',
  'deploy/all-secrets-role.yaml',
  'deploy/dashboard-role.yaml',
];

/** Repository path → content. */
export const run = async () => {
  const { renderOperatorManifest } = await loadTypeScript(
    fileURLToPath(new URL('operator-manifest.ts', import.meta.url)),
  );
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return renderOperatorManifest(version);
};
