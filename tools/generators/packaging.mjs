import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'packaging';
export const outputs = ['deploy/helm/', 'deploy/olm/'];

const samples = new URL('../../deploy/samples/', import.meta.url);

/** Repository path → content. */
export const run = async () => {
  const { renderPackages } = await loadTypeScript(fileURLToPath(new URL('packaging.ts', import.meta.url)));
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const files = readdirSync(samples).sort();
  return renderPackages({ version, samples: files.map((file) => readFileSync(new URL(file, samples), 'utf8')) });
};
