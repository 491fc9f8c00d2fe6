import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VdoError } from '@vdo/base/vdo-error';
import { type ControlPlanePart, controlPlaneParts } from '@vdo/sandbox/environment/real-cluster';

const programs = ['operator', 'cpi', 'csi'];
const bundleIn = (root: string, app: string): string => join(root, 'apps', app, 'dist', 'main.js');

const findRoot = (from: string): string => {
  let root = from;
  while (!programs.some((app) => existsSync(bundleIn(root, app))) && dirname(root) !== root) root = dirname(root);
  return root;
};

/** Finds the built programs in a parent folder of this one. VdoError SandboxIncomplete if one is missing. */
export const findBundles = (from: string): ((app: string) => string) => {
  const root = findRoot(from);
  const missing = programs.filter((app) => !existsSync(bundleIn(root, app)));
  if (missing.length === 0) return (app) => bundleIn(root, app);
  throw new VdoError({
    code: 'SandboxIncomplete',
    message: `the built program of ${missing.join(', ')} does not exist (apps/${missing[0]}/dist/main.js)`,
    remedy: 'Build them in a checkout of VDO: npm run build',
  });
};

interface LocatedPart {
  readonly name: string;
  readonly path: string;
  readonly built: boolean;
}

const incomplete = (message: string, remedy: string, cause?: unknown): VdoError =>
  new VdoError({ code: 'SandboxIncomplete', message, remedy, cause });

/** The parts as located by the script of the checkout: their folder depends on versions and toolchain. */
const locateParts = async (root: string): Promise<readonly LocatedPart[]> => {
  const script = join(root, 'tools/parts/cache.mjs');
  if (!existsSync(script))
    throw incomplete(
      `--real needs a checkout of VDO: ${script} does not exist`,
      'Run it in a checkout, after: npm run parts',
    );
  const found: { locateParts(): readonly LocatedPart[] } = await import(/* @vite-ignore */ pathToFileURL(script).href);
  try {
    return found.locateParts();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw incomplete(`--real cannot find its programs: ${reason}`, 'Then build them: npm run parts', cause);
  }
};

/** Finds the programs of a real control plane. VdoError SandboxIncomplete if they are not built. */
export const findParts = async (from: string): Promise<(name: ControlPlanePart) => string> => {
  const located = await locateParts(findRoot(from));
  const pathOf = (name: ControlPlanePart): string | undefined =>
    located.find((part) => part.name === name && part.built)?.path;
  const missing = controlPlaneParts.filter((name) => pathOf(name) === undefined);
  if (missing.length === 0) return (name) => pathOf(name) ?? '';
  throw incomplete(
    `--real needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not built`,
    `Build them once (needs Go, takes some minutes): npm run parts -- ${missing.join(' ')}`,
  );
};
