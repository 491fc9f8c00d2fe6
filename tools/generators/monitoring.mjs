import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'monitoring';
export const outputs = ['deploy/monitoring/'];

/** Repository path → content. */
export const run = async () => {
  const { renderMonitoringFiles } = await loadTypeScript(fileURLToPath(new URL('monitoring.ts', import.meta.url)));
  return renderMonitoringFiles();
};
