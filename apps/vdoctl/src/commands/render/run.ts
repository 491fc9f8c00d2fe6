import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { readCredentials } from '@vdo/operator/gather/credentials';
import type { DriverKind, Release } from '@vdo/releases/matrix';
import { pickRelease } from '@vdo/releases/pick-release';
import type { ServerAccount } from '@vdo/releases/render/credentials-secret';
import { manifestYaml } from '@vdo/releases/render/manifest-yaml';
import { knownLayouts } from '@vdo/releases/render/names';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { readResource, readResourceFile } from '../../checkup/read-resource.ts';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { withCluster } from '../../cluster/open-cluster.ts';
import { builtInMatrix, type ChosenMatrix, matrixLine, readMatrixInUse } from '../../matrix/matrix-in-use.ts';
import type { RenderFlags } from './command.ts';
import { installSteps, stepsText } from './steps.ts';

interface World {
  readonly resource: VSphereDrivers;
  readonly kubernetesVersion: string;
  readonly vcenterVersions: readonly { readonly server: string; readonly version: string }[];
  readonly accounts: readonly ServerAccount[];
  readonly chosen: ChosenMatrix;
}

/** In place of the real ones where the Secrets are not rendered: their keys are shown, never their values. */
const unnamed = ({ spec }: VSphereDrivers): readonly ServerAccount[] =>
  spec.vcenters.map(({ server }) => ({ server, username: 'USER@DOMAIN', password: 'PASSWORD' }));

const versionsOf = (resource: VSphereDrivers, flags: RenderFlags): World['vcenterVersions'] => {
  const seen = new Map((resource.status?.versions?.vcenters ?? []).map(({ server, version }) => [server, version]));
  return resource.spec.vcenters.map(({ server }) => {
    const version = flags.vsphere ?? seen.get(server);
    if (version !== undefined) return { server, version };
    throw new VdoError({
      code: 'InvalidArgument',
      message: `the version of vCenter ${server} is not known`,
      remedy: 'Give it with --vsphere, such as 8.0.3.',
    });
  });
};

const readWorld = async (context: CliContext, flags: RenderFlags): Promise<World> => {
  const { signal } = context;
  const { file, kubernetes } = flags;
  if (file !== undefined && kubernetes !== undefined && !flags.withCredentials) {
    const resource = await readResourceFile(file);
    const vcenterVersions = versionsOf(resource, flags);
    return {
      resource,
      kubernetesVersion: kubernetes,
      vcenterVersions,
      accounts: unnamed(resource),
      chosen: builtInMatrix(),
    };
  }
  return withCluster(context, flags, async ({ kube, namespace }) => {
    const resource = file === undefined ? await readResource(kube, signal) : await readResourceFile(file);
    const accounts = flags.withCredentials
      ? await Promise.all(
          resource.spec.vcenters.map(async (vcenter) => {
            const { username, password } = await readCredentials(kube, vcenter, { namespace, signal });
            return { server: vcenter.server, username, password };
          }),
        )
      : unnamed(resource);
    const kubernetesVersion = kubernetes ?? (await kube.serverVersion({ signal }));
    const chosen = await readMatrixInUse(kube, { namespace, signal });
    return { resource, kubernetesVersion, vcenterVersions: versionsOf(resource, flags), accounts, chosen };
  });
};

const pick = (world: World, driver: DriverKind): Release | undefined => {
  const { spec } = world.resource;
  if (spec[driver] === undefined) return undefined;
  const wanted = spec.updates.versions?.[driver];
  return pickRelease({
    matrix: world.chosen.matrix,
    driver,
    distribution: spec.distribution,
    kubernetesVersion: world.kubernetesVersion,
    vcenterVersions: world.vcenterVersions,
    layouts: knownLayouts,
    policy: wanted === undefined ? 'Automatic' : 'Pinned',
    ...(wanted === undefined ? {} : { wanted }),
  }).release;
};

/** vdoctl render */
export const render: CommandRun<RenderFlags> = async (context, flags) => {
  const { terminal } = context;
  const world = await readWorld(context, flags);
  const [cpi, csi] = [pick(world, 'cpi'), pick(world, 'csi')];
  const releases = { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
  const { spec } = world.resource;
  const objects = renderDrivers({ spec, releases, accounts: world.accounts, namespace: flags.namespace });
  const steps = installSteps(objects, { spec, withCredentials: flags.withCredentials });
  const headline = [cpi, csi]
    .flatMap((release) => release ?? [])
    .map(({ distribution, driver, version }) => `${distribution} ${driver.toUpperCase()} ${version}`)
    .join(', ');
  const guide = stepsText(steps, `${headline} for Kubernetes ${world.kubernetesVersion}`, matrixLine(world.chosen));
  if (flags.outDir === undefined) {
    for (const line of guide.trimEnd().split('\n')) terminal.out(`# ${line}`.trimEnd().concat('\n'));
    for (const { objects: members } of steps.filter((step) => step.objects.length > 0))
      terminal.out(`---\n${manifestYaml(members)}`);
    return exitCodes.done;
  }
  await mkdir(flags.outDir, { recursive: true });
  await writeFile(join(flags.outDir, 'README.md'), guide);
  for (const { file, objects: members } of steps)
    if (file !== undefined) await writeFile(join(flags.outDir, file), manifestYaml(members), { mode: 0o600 });
  terminal.out(`${join(flags.outDir, 'README.md')}\n`);
  return exitCodes.done;
};
