import { writeFile } from 'node:fs/promises';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import type { CheckGroup, CheckOutcome } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { vcenterSpec } from '@vdo/config/api/vcenter-spec';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { Account } from '@vdo/config/credentials';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { stringify } from 'yaml';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { createProgress } from '../../output/progress.ts';
import { paintFor } from '../../output/style.ts';
import { countOf, doctorLines } from '../../shared/checkup/doctor-lines.ts';
import { gatherHere } from '../../shared/checkup/gather.ts';
import { type Cluster, withCluster } from '../../shared/cluster/open-cluster.ts';
import { readWrittenResource } from '../../shared/cluster/read-resource.ts';
import { asAccount } from '../../shared/vsphere/as-account.ts';
import { writeSecret } from '../../shared/vsphere/store-password.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import { type Asker, createAsker } from './asker.ts';
import type { ConfigureFlags } from './command.ts';
import { findConnection } from './connection.ts';
import { type Answers, defaultSecret, draftSpec, type SpecDraft } from './draft.ts';
import { readLiveLists } from './live-lists.ts';
import { setPath } from './set-path.ts';
import { answersOfFlags, askOpen, type Connection, offersFiles } from './wizard.ts';

/** What an account and a network can tell before anything is installed; labels of nodes are what the drivers write. */
const groups: readonly CheckGroup[] = ['vcenter', 'privileges', 'topology', 'storage'];

interface Scene {
  readonly context: CliContext;
  readonly flags: ConfigureFlags;
  readonly asker: Asker | undefined;
  /** Absent if the resource is only saved. */
  readonly cluster: Cluster | undefined;
}

const readBase = async ({ context, flags, cluster }: Scene): Promise<SpecDraft> => {
  if (flags.fromFile !== undefined) return ((await readWrittenResource(flags.fromFile)).spec ?? {}) as SpecDraft;
  const found = await cluster?.kube
    .find(vsphereDrivers, { name: vsphereDriversName }, { signal: context.signal })
    .catch((error: unknown) => {
      if (!isVdoError(error, 'KubeResourceMissing')) throw error;
      throw new VdoError({
        code: 'KubeResourceMissing',
        message: 'the cluster does not know VSphereDrivers: the operator is not installed',
        remedy: 'Run vdoctl install first, or write the resource to a file with --save.',
        cause: error,
      });
    });
  return found?.spec ?? {};
};

const resourceOf = (spec: SpecDraft) => ({
  apiVersion: `${vsphereDrivers.group}/${vsphereDrivers.version}`,
  kind: vsphereDrivers.kind,
  metadata: { name: vsphereDriversName },
  spec,
});

const check = async (
  { context, cluster }: Scene,
  resource: VSphereDrivers,
  { vcenter, account, server }: { readonly vcenter: FullVCenter; readonly account: Account; readonly server: string },
): Promise<readonly CheckOutcome[]> => {
  const spec = resource.spec.vcenters.find((one) => one.server === server);
  if (!cluster || !spec) return [];
  const progress = createProgress(context);
  progress.update(`checking ${server} and the nodes of ${cluster.server}`);
  try {
    const facts = await gatherHere(context, { cluster, resource, vcenters: [{ spec, vcenter }], groups });
    const checks = checksOf(allChecks, groups).filter(({ id }) => id !== 'topology/labels-match');
    return runChecks(checks, asAccount(facts, account.username));
  } finally {
    progress.end();
  }
};

type Ending = 'apply' | 'save' | 'stop';

const chooseEnding = async ({ flags, asker, cluster }: Scene, failed: number): Promise<Ending> => {
  if (flags.dryRun) return 'stop';
  if (flags.save !== undefined) return 'save';
  if (asker) {
    return asker.one<Ending>(failed > 0 ? `${failed} checks fail. What now?` : 'What now?', [
      ...(cluster ? [{ label: `apply it to ${cluster.server}`, value: 'apply' } as const] : []),
      { label: 'save it to a file', value: 'save' },
      { label: 'stop, and change nothing', value: 'stop' },
    ]);
  }
  return failed > 0 ? 'stop' : 'apply';
};

const save = async ({ context, flags, asker }: Scene, yaml: string): Promise<void> => {
  const file = flags.save ?? (await asker?.text('File', 'drivers.yaml')) ?? 'drivers.yaml';
  await writeFile(file, yaml).catch((error: unknown) => {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`,
      remedy: 'Name a file you may write with --save.',
      cause: error,
    });
  });
  context.terminal.err(`Saved to ${file}. The account is not in it: put it into the Secret that it names.\n`);
};

const apply = async (
  { context, cluster }: Scene,
  spec: SpecDraft,
  { account, server }: { readonly account: Account; readonly server: string },
): Promise<void> => {
  if (!cluster) return;
  const { kube, namespace } = cluster;
  const { signal } = context;
  const name = spec.vcenters?.find((one) => one.server === server)?.credentialsSecret ?? defaultSecret;
  await writeSecret({ kube, namespace, name, server, signal }, account);
  await kube.apply(vsphereDrivers, resourceOf(spec) as VSphereDrivers, { fieldManager: 'vdoctl', force: true, signal });
  context.terminal.err(
    `Applied: Secret ${namespace}/${name} and VSphereDrivers ${vsphereDriversName}. vdoctl status --watch shows what comes of it.\n`,
  );
};

const specOf = (scene: Scene, base: SpecDraft, answers: Answers): SpecDraft =>
  scene.flags.set.reduce<SpecDraft>(setPath, draftSpec(base, answers));

/** Edits without a vCenter: nothing is asked and nothing checked. */
const editFile = async (scene: Scene): Promise<number> => {
  const { context, flags } = scene;
  const base = await readBase(scene);
  const connection = await findConnection(context, flags, { asker: undefined, before: base.vcenters });
  const spec = specOf(scene, base, answersOfFlags(flags, connection));
  parseVSphereDrivers(resourceOf(spec));
  const yaml = stringify(resourceOf(spec), { lineWidth: 0 });
  context.terminal.out(yaml);
  if (!flags.dryRun) await save(scene, yaml);
  return exitCodes.done;
};

const askAll = async (
  { context, flags, asker }: Scene,
  base: SpecDraft,
  input: { readonly vcenter: FullVCenter; readonly connection: Connection; readonly account: Account },
): Promise<Answers> => {
  const known = answersOfFlags(flags, input.connection);
  if (!asker) return known;
  const lists = await readLiveLists(input.vcenter, context.signal);
  context.terminal.err(`Connected to ${known.server} (${lists.version}) as ${input.account.username}.\n`);
  const files = offersFiles(lists);
  if (typeof files === 'string') context.terminal.err(`Without file volumes: ${files}.\n`);
  return askOpen(asker, lists, known, base);
};

const showOutcomes = ({ context, flags }: Scene, outcomes: readonly CheckOutcome[]): void => {
  if (outcomes.length === 0) return;
  const width = Math.min(context.terminal.columns ?? 100, 120);
  for (const line of doctorLines(outcomes, { paint: paintFor(context, flags), width, all: false }))
    context.terminal.err(`${line}\n`);
};

const finish = async (
  scene: Scene,
  spec: SpecDraft,
  input: { readonly account: Account; readonly server: string; readonly failed: number },
): Promise<number> => {
  const yaml = stringify(resourceOf(spec), { lineWidth: 0 });
  scene.context.terminal.out(yaml);
  const ending = await chooseEnding(scene, input.failed);
  if (ending === 'save') await save(scene, yaml);
  if (ending === 'apply') await apply(scene, spec, input);
  if (ending === 'stop' && !scene.flags.dryRun) scene.context.terminal.err('Nothing was changed.\n');
  return input.failed > 0 && ending !== 'apply' ? exitCodes.unhealthy : exitCodes.done;
};

const configureOn = async (scene: Scene): Promise<number> => {
  const { context, flags, asker } = scene;
  const base = await readBase(scene);
  const connection = await findConnection(context, flags, { asker, before: base.vcenters });
  const { server, port, thumbprint } = connection;
  const reach = { ...flags, server, port, ...(thumbprint === undefined ? {} : { thumbprint }) };
  const old = base.vcenters?.find((one) => one.server.toLowerCase() === server.toLowerCase());
  const work = async (vcenter: FullVCenter, account: Account) => {
    const spec = specOf(scene, base, await askAll(scene, base, { vcenter, connection, account }));
    const resource = parseVSphereDrivers(resourceOf(spec));
    const outcomes = flags.checks ? await check(scene, resource, { vcenter, account, server }) : [];
    showOutcomes(scene, outcomes);
    return finish(scene, spec, { account, server, failed: countOf(outcomes, 'Fail') });
  };
  return withVCenter(context, reach, work, old ? { spec: vcenterSpec.parse(old) } : {});
};

/** vdoctl configure */
export const configure: CommandRun<ConfigureFlags> = (context, flags) => {
  const asker = context.terminal.interactive && !flags.yes ? createAsker(context) : undefined;
  const mustAgree = !asker && !flags.yes && !flags.dryRun && flags.save === undefined;
  if (mustAgree) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: 'nobody can be asked whether to apply the configuration: standard input is no terminal',
      remedy: 'Add --yes to apply it, --save FILE to write it to a file, or --dry-run to see it.',
    });
  }
  // A file can be made before there is a cluster; then there are no nodes to check either.
  if (flags.save !== undefined && !flags.checks) {
    const scene = { context, flags, asker, cluster: undefined };
    return asker ? configureOn(scene) : editFile(scene);
  }
  return withCluster(context, flags, (cluster) => configureOn({ context, flags, asker, cluster }));
};
