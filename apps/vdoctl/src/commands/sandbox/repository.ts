import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';

const programs = ['operator', 'cpi', 'csi'];
const bundleIn = (root: string, app: string): string => join(root, 'apps', app, 'dist', 'main.js');

/** Finds the built programs, upwards from the folder of this one. VdoError SandboxIncomplete if one is missing. */
export const findBundles = (from: string): ((app: string) => string) => {
  let root = from;
  while (!programs.some((app) => existsSync(bundleIn(root, app))) && dirname(root) !== root) root = dirname(root);
  const missing = programs.filter((app) => !existsSync(bundleIn(root, app)));
  if (missing.length === 0) return (app) => bundleIn(root, app);
  throw new VdoError({
    code: 'SandboxIncomplete',
    message: `the built program of ${missing.join(', ')} is not there (apps/${missing[0]}/dist/main.js)`,
    remedy: 'Build them in a checkout of VDO: npm run build',
  });
};
