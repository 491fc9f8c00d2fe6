import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRegistry, type Release } from '@vdo/releases/matrix';
import { loadReleaseSettings } from '@vdo/releases/release-settings';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { boundRoles } from '@vdo/releases/render/roles/bound-roles';
import { roleObject } from '@vdo/releases/render/roles/driver-role';
import { manifestYaml } from '@vdo/releases/render/shared/manifest-yaml';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { intentCrd } from '../../shared/operator/vdo-crds.ts';
import { matrixLine } from '../../shared/releases/matrix-in-use.ts';
import { installSteps, stepsText } from '../../shared/releases/steps.ts';
import { pickFor, readWorld } from '../../shared/releases/world.ts';
import type { RenderFlags } from './command.ts';

/** vdoctl render */
export const render: CommandRun<RenderFlags> = async (context, flags) => {
  const { terminal } = context;
  const world = await readWorld(context, flags);
  const { registry } = loadReleaseSettings();
  const placed = (release: Release | undefined) =>
    release?.distribution === 'Native' ? inRegistry(release, registry) : release;
  const [cpi, csi] = [placed(pickFor(world, 'cpi')), placed(pickFor(world, 'csi'))];
  const releases = { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
  const { spec } = world.resource;
  // The operator's manifests contain this object. A manual install has no operator, and the driver cannot provision without it.
  const intents = csi?.distribution === 'Native' ? [{ ...intentCrd() }] : [];
  const rendered = renderDrivers({
    spec,
    releases,
    accounts: world.accounts,
    driverAccounts: world.driverAccounts,
    namespace: flags.namespace,
  });
  // The same applies to the roles of the drivers.
  const roles = boundRoles(rendered).map((role) => ({ ...roleObject(role) }));
  const objects = [...intents, ...roles, ...rendered];
  const steps = installSteps(objects, { spec, withCredentials: flags.withCredentials });
  const headline = [cpi, csi]
    .flatMap((release) => release ?? [])
    .map(({ distribution, driver, version }) => `${distribution} ${driver.toUpperCase()} ${version}`)
    .join(', ');
  const guide = stepsText(steps, {
    headline: `${headline} for Kubernetes ${world.kubernetesVersion}`,
    matrix: matrixLine(world.chosen),
    files:
      flags.outDir === undefined
        ? 'The files of the steps are printed below. To write them as files, use --out-dir FOLDER.'
        : 'The files of the steps are in this folder.',
  });
  if (flags.outDir === undefined) {
    for (const line of guide.trimEnd().split('\n')) terminal.out(`# ${line.replace(/^# /, '')}`.trimEnd().concat('\n'));
    // The steps are printed as comments, so that the output is valid YAML.
    for (const { name, text } of steps.flatMap(({ contents = [] }) => contents))
      terminal.out(`---\n# ${name}\n${text.trimEnd().replaceAll(/^/gm, '#   ')}\n`);
    for (const { file, objects: members } of steps)
      if (file !== undefined) terminal.out(`---\n# ${file}\n${manifestYaml(members)}`);
    return exitCodes.done;
  }
  await mkdir(flags.outDir, { recursive: true });
  await writeFile(join(flags.outDir, 'README.md'), guide);
  for (const { file, objects: members } of steps)
    if (file !== undefined) await writeFile(join(flags.outDir, file), manifestYaml(members), { mode: 0o600 });
  for (const { name, text } of steps.flatMap(({ contents = [] }) => contents))
    await writeFile(join(flags.outDir, name), text, { mode: 0o600 });
  terminal.out(`${join(flags.outDir, 'README.md')}\n`);
  return exitCodes.done;
};
