import { writeFile } from 'node:fs/promises';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import type { CheckGroup, CheckOutcome } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { vcenterSpec } from '@vdo/config/api/vcenter-spec';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { Account } from '@vdo/config/credentials';
import { names } from '@vdo/config/names';
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
import { type OpenedVCenter, withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import { answersOfFlags, type Connection } from './answers-of-flags.ts';
import { type Asker, createAsker, GoBack } from './asker.ts';
import type { ConfigureFlags } from './command.ts';
import { findConnection } from './connection.ts';
import { type Answers, defaultSecret, draftSpec, type SpecDraft } from './draft.ts';
import { setPath } from './set-path.ts';
import { signIn } from './sign-in.ts';
import { withoutDefaults } from './without-defaults.ts';
import { runWizard } from './wizard.ts';

/** The checks that need only an account and the network; node labels are left out because the drivers write them. */
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
        message: 'the cluster does not have the kind VSphereDrivers: the operator is not installed',
        remedy: 'Run vdoctl install first, or save the resource to a file with --save.',
        cause: error,
      });
    });
  return withoutDefaults(found?.spec ?? {});
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
  const progress = createProgress(context, { elsewhere: 'silent' });
  progress.update(`checking ${server} and the nodes of ${cluster.server}`);
  try {
    const facts = await gatherHere(context, { cluster, resource, vcenters: [{ spec, vcenter }], groups });
    const checks = checksOf(allChecks, groups).filter(({ id }) => id !== 'topology/labels-match');
    return runChecks(checks, asAccount(facts, account.username));
  } finally {
    progress.end();
  }
};

type Ending = 'apply' | 'save' | 'stop' | 'back';

const chooseEnding = async ({ flags, asker, cluster }: Scene, failed: number): Promise<Ending> => {
  if (flags.dryRun) return 'stop';
  if (flags.save !== undefined) return 'save';
  if (asker) {
    return asker.one<Ending>(
      failed > 0 ? `${failed} checks failed. What do you want to do?` : 'What do you want to do?',
      [
        ...(cluster ? [{ label: `apply to ${cluster.server}`, value: 'apply' } as const] : []),
        { label: 'save to a file', value: 'save' },
        { label: 'change an answer', value: 'back' },
        { label: 'quit without changes', value: 'stop' },
      ],
    );
  }
  return failed > 0 ? 'stop' : 'apply';
};

const secretOf = (spec: SpecDraft, server: string): string =>
  spec.vcenters?.find((one) => one.server === server)?.credentialsSecret ?? defaultSecret;

const save = async ({ context, flags, asker }: Scene, yaml: string): Promise<void> => {
  const file = flags.save ?? (await asker?.text('File', 'drivers.yaml')) ?? 'drivers.yaml';
  await writeFile(file, yaml).catch((error: unknown) => {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`,
      remedy: 'Choose a writable file with --save.',
      cause: error,
    });
  });
  context.terminal.err(`Saved to ${file}. It does not contain the password.\n`);
};

interface Signed {
  readonly account: Account;
  readonly server: string;
}

const makeSecret = async (
  { context, cluster }: Scene,
  spec: SpecDraft,
  { account, server }: Signed,
): Promise<string> => {
  if (!cluster) return '';
  const { kube, namespace } = cluster;
  const name = secretOf(spec, server);
  await writeSecret({ kube, namespace, name, server, signal: context.signal }, account);
  return `${namespace}/${name}`;
};

/** A saved resource refers to a Secret, which the user can create now or later. */
const offerSecret = async (scene: Scene, spec: SpecDraft, signed: Signed): Promise<void> => {
  const { context, asker, cluster } = scene;
  const name = secretOf(spec, signed.server);
  const question = `Store the account in Secret ${cluster?.namespace}/${name} of ${cluster?.server} now?`;
  if (asker && cluster && (await asker.yes(question, true))) {
    context.terminal.err(`Created Secret ${await makeSecret(scene, spec, signed)}.\n`);
    return;
  }
  const { username } = signed.account;
  context.terminal.err(
    `The resource refers to the Secret ${name}. To create it, with the password in the file password.txt:\n  kubectl -n ${names.namespace} create secret generic ${name} --from-literal=username=${username} --from-file=password=password.txt\n`,
  );
};

const apply = async (scene: Scene, spec: SpecDraft, signed: Signed): Promise<void> => {
  const { context, cluster } = scene;
  if (!cluster) return;
  const made = await makeSecret(scene, spec, signed);
  const write = { fieldManager: 'vdoctl', force: true, signal: context.signal };
  await cluster.kube.apply(vsphereDrivers, resourceOf(spec) as VSphereDrivers, write);
  context.terminal.err(
    `Applied Secret ${made} and VSphereDrivers ${vsphereDriversName}. Run vdoctl status --watch to follow the installation.\n`,
  );
};

const specOf = (scene: Scene, base: SpecDraft, answers: Answers): SpecDraft =>
  scene.flags.set.reduce<SpecDraft>(setPath, draftSpec(base, answers));

/** Edits the resource without connecting to vCenter: no questions, no checks. */
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

const showOutcomes = ({ context, flags }: Scene, outcomes: readonly CheckOutcome[]): void => {
  if (outcomes.length === 0) return;
  const width = Math.min(context.terminal.columns ?? 100, 120);
  for (const line of doctorLines(outcomes, { paint: paintFor(context, flags), width, all: false }))
    context.terminal.err(`${line}\n`);
};

/** Runs the checks, shows the resource, and applies or saves it. */
const review = async (
  scene: Scene,
  base: SpecDraft,
  { vcenter, account }: Pick<OpenedVCenter, 'vcenter' | 'account'>,
  answers: Answers,
): Promise<{ readonly exitCode: number; readonly kept: boolean }> => {
  const { context, flags } = scene;
  const { server } = answers;
  const spec = specOf(scene, base, answers);
  const resource = parseVSphereDrivers(resourceOf(spec));
  const outcomes = flags.checks ? await check(scene, resource, { vcenter, account, server }) : [];
  showOutcomes(scene, outcomes);
  const failed = countOf(outcomes, 'Fail');
  const yaml = stringify(resourceOf(spec), { lineWidth: 0 });
  context.terminal.out(yaml);
  const ending = await chooseEnding(scene, failed);
  if (ending === 'back') throw new GoBack();
  if (ending === 'save') {
    await save(scene, yaml);
    await offerSecret(scene, spec, { account, server });
  }
  if (ending === 'apply') await apply(scene, spec, { account, server });
  const isStopped = ending === 'stop';
  const keeps = scene.asker ? ' Your answers are saved: run vdoctl configure again to continue.' : '';
  if (isStopped && !flags.dryRun) context.terminal.err(`Nothing was changed.${keeps}\n`);
  return { exitCode: failed > 0 && ending !== 'apply' ? exitCodes.unhealthy : exitCodes.done, kept: isStopped };
};

/** The connection settings of a vCenter in the existing configuration. */
const oldSpec = (base: SpecDraft, server: string) => {
  const old = base.vcenters?.find((one) => one.server.toLowerCase() === server.toLowerCase());
  return old ? { spec: vcenterSpec.parse(old) } : {};
};

const reachOf = (flags: ConfigureFlags, { server, port, thumbprint }: Connection) => ({
  ...flags,
  server,
  port,
  ...(thumbprint === undefined ? {} : { thumbprint }),
});

const configureOn = async (scene: Scene): Promise<number> => {
  const { context, flags, asker, cluster } = scene;
  const base = await readBase(scene);
  if (asker) {
    return runWizard(context, {
      asker,
      base,
      cluster: cluster?.server ?? null,
      ...(flags.server === undefined ? {} : { server: flags.server }),
      connect: (answers, { again }) => findConnection(context, flags, { asker, before: base.vcenters, answers, again }),
      signIn: (connection, { answers, refusedAt, onRefused }) =>
        signIn(context, {
          asker,
          flags: reachOf(flags, connection),
          ...oldSpec(base, connection.server),
          ...(answers.user === undefined ? {} : { user: answers.user }),
          refusedAt,
          onRefused,
        }),
      known: (connection) => answersOfFlags(flags, connection),
      review: (opened, answers) => review(scene, base, opened, answers),
    });
  }
  const connection = await findConnection(context, flags, { asker, before: base.vcenters });
  const work = async (vcenter: FullVCenter, account: Account) =>
    (await review(scene, base, { vcenter, account }, answersOfFlags(flags, connection))).exitCode;
  return withVCenter(context, reachOf(flags, connection), work, oldSpec(base, connection.server));
};

/** vdoctl configure */
export const configure: CommandRun<ConfigureFlags> = (context, flags) => {
  const asker = context.terminal.interactive && !flags.yes ? createAsker(context) : undefined;
  const mustAgree = !asker && !flags.yes && !flags.dryRun && flags.save === undefined;
  if (mustAgree) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: 'vdoctl cannot ask whether to apply the configuration: standard input is not a terminal',
      remedy: 'Add --yes to apply it, --save FILE to save it, or --dry-run to print it.',
    });
  }
  // Without a cluster, the resource can still be saved to a file; then the checks of nodes are skipped.
  if (flags.save !== undefined && !flags.checks) {
    const scene = { context, flags, asker, cluster: undefined };
    return asker ? configureOn(scene) : editFile(scene);
  }
  return withCluster(context, flags, (cluster) => configureOn({ context, flags, asker, cluster }));
};
