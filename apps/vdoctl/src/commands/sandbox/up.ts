import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { aborted } from '@vdo/base/async/aborted';
import { toVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import { persistentVolumes } from '@vdo/kube/types/core';
import { createExitStack } from '@vdo/sandbox/processes/exit-stack';
import type { Sandbox } from '@vdo/sandbox/sandbox-options';
import { startSandbox } from '@vdo/sandbox/start-sandbox';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { createProgress } from '../../output/progress.ts';
import { paintFor } from '../../output/style.ts';
import { type SandboxRecord, sandboxName, sandboxNameVariable } from '../../shared/cluster/sandbox-record.ts';
import { operatorImage, operatorObjects } from '../../shared/operator/operator-objects.ts';
import { countVolumes } from '../../shared/status/count-volumes.ts';
import { statusLines } from '../../shared/status/status-lines.ts';
import { statusReport } from '../../shared/status/status-report.ts';
import { settleNotes } from './clean.ts';
import type { SandboxFlags } from './commands.ts';
import { addNote, type DiskNote, removeNote } from './left-disks.ts';
import { choosePlaces, type Places } from './places.ts';
import { lockSandbox, refuseSecond, removeRecord, sweepAfterCrash, writeRecord } from './record.ts';
import { findBundles } from './repository.ts';
import { introduction, timed, whatNow } from './view.ts';

const namespace = names.namespace;

const showStatus = async ({ kube, server }: Sandbox, context: CliContext, flags: SandboxFlags): Promise<void> => {
  const resource = await kube.find(vsphereDrivers, { name: vsphereDriversName });
  const volumes = countVolumes((await kube.list(persistentVolumes)).items);
  const lines = statusLines(statusReport({ resource, server, volumes }), {
    paint: paintFor(context, flags),
    wide: false,
    width: Math.min(context.terminal.columns ?? 100, 120),
    nowMs: context.clock.now(),
  });
  context.terminal.out(`\n${lines.join('\n')}\n\n`);
};

const showFailure = async (sandbox: Sandbox, context: CliContext, flags: SandboxFlags): Promise<void> => {
  await showStatus(sandbox, context, flags).catch(() => undefined);
  for (const line of await sandbox.tailLogs()) context.terminal.err(`${line}\n`);
};

const describePlaces = ({ cluster, vcenter }: Places) => ({
  vcenter: vcenter.kind === 'simulated' ? 'a simulated vCenter' : `the vCenter ${vcenter.host}`,
  cluster:
    cluster.kind === 'outside' ? `the cluster of ${cluster.kubeconfigPath}` : 'a Kubernetes cluster on this machine',
});

/** Restores what was borrowed, whatever happened; true if that worked. */
const giveBack = async (sandbox: Sandbox, { borrowed, repair }: Places, { terminal }: CliContext): Promise<boolean> => {
  if (borrowed.length === 0) return true;
  try {
    // Not the Ctrl-C signal, which may already be aborted; a second Ctrl-C ends the process.
    await sandbox.takeDown(new AbortController().signal);
    return true;
  } catch (error) {
    const { message } = toVdoError(error);
    terminal.err(`\nNot everything could be removed: ${message}\n${repair}\n`);
    return false;
  }
};

const recordOf = (sandbox: Sandbox): SandboxRecord => {
  const { folder, kubeconfig, context, vcenter, control, dashboard } = sandbox;
  const { isSimulated, ...account } = vcenter;
  return {
    pid: process.pid,
    folder,
    kubeconfig,
    control,
    dashboard,
    ...(context === undefined ? {} : { context }),
    ...(isSimulated ? { vcenter: account } : {}),
  };
};

/** The local cluster cannot name leftover disks after its process has ended, so their cluster ID is noted beforehand. */
const noteOf = ({ vcenter, cluster }: Places, id: string): DiskNote | undefined =>
  vcenter.kind === 'outside' && cluster.kind !== 'outside'
    ? {
        pid: process.pid,
        server: vcenter.host,
        port: vcenter.port,
        tls: vcenter.tls,
        username: vcenter.account.username,
        clusterId: `vdo-sandbox-${id}`,
        instanceUuid: vcenter.instanceUuid,
        vms: vcenter.vms,
      }
    : undefined;

interface DiskNotes {
  /** Trust settings and account for the sandbox. */
  readonly named: { readonly clusterId?: string };
  /** Deletes the note if nothing is left. */
  close(isClean: boolean): void;
}

/** Handles notes of dead sandboxes, and writes a note for this one. */
const openDiskNote = async (context: CliContext, uid: number, places: Places): Promise<DiskNotes> => {
  await settleNotes(context, uid, places.vcenter.kind === 'outside' ? places.vcenter : undefined);
  const note = noteOf(places, context.random.uuid());
  if (!note) return { named: {}, close: () => undefined };
  addNote(context, uid, note);
  return {
    named: { clusterId: note.clusterId },
    close: (isClean) => {
      if (isClean) removeNote(context, uid, note.clusterId);
    },
  };
};

const asNamed = (context: CliContext, { name }: SandboxFlags): CliContext =>
  name === undefined ? context : { ...context, env: { ...context.env, [sandboxNameVariable]: name } };

/** vdoctl sandbox */
export const sandboxUp: CommandRun<SandboxFlags> = async (given, flags) => {
  const context = asNamed(given, flags);
  const { clock, random, terminal, signal, version } = context;
  // Every program and watch of the sandbox listens to it.
  await refuseSecond(context);
  const here = fileURLToPath(new URL('.', import.meta.url));
  const bundle = findBundles(here);
  const places = await choosePlaces(context, flags, { here, namespace });
  if (!places) {
    terminal.err('Nothing was changed.\n');
    return exitCodes.failed;
  }
  const uid = process.getuid?.() ?? -1;
  const lock = lockSandbox(context, process.pid);
  const atExit = createExitStack(process);
  const clear = (): void => {
    removeRecord(context);
    lock.release();
  };
  let isClean = places.borrowed.length === 0;
  // A second Ctrl-C does not wait: cleanup at exit is quick, and leaves as little behind as possible.
  const forget = atExit(() => {
    clear();
    const rest = isClean ? 'nothing is left behind.' : `nothing is left on this machine.\n${places.repair}`;
    terminal.err(`\nStopped at once; ${rest}\n`);
  });
  const shown = createProgress(context);
  let sandbox: Sandbox | undefined;
  let disks: DiskNotes | undefined;
  try {
    const swept = sweepAfterCrash(context, uid);
    if (swept !== undefined) terminal.err(`Removed the leftovers of a killed sandbox in ${swept}.\n`);
    disks = await openDiskNote(context, uid, places);
    terminal.err(introduction(describePlaces(places)));
    let record: SandboxRecord | undefined;
    sandbox = await startSandbox({
      ...places,
      ...disks.named,
      nodeCount: flags.nodes,
      passwordEnd: context.env['VDO_SANDBOX_PASSWORD_END'],
      stepTimeoutMs: flags.timeout * 1000,
      dashboardPort: flags.dashboardPort,
      parentFolder: context.env['TMPDIR'] || tmpdir(),
      operatorObjects: operatorObjects({ version, image: operatorImage, replicas: 1, registry: 'localhost' }),
      namespace,
      bundle,
      env: { PATH: context.env['PATH'] ?? '' },
      // With root, disks are real unless simulated ones are requested.
      uid: flags.simulateMounts ? -1 : uid,
      atExit,
      onAccount: async (account) => {
        if (!record?.vcenter) return;
        record = { ...record, vcenter: { ...record.vcenter, ...account } };
        await writeRecord(context, record);
      },
      clock,
      random,
      progress: timed(shown, clock),
      signal,
    });
    record = recordOf(sandbox);
    await writeRecord(context, record);
    const failedChecks = await sandbox.bringUp(signal, flags.break);
    await showStatus(sandbox, context, flags);
    if (flags.once) {
      await sandbox.takeDown(signal);
      isClean = true;
    } else {
      terminal.out(whatNow(sandbox, sandboxName(context.env)));
      await aborted(signal);
    }
    return flags.once && failedChecks > 0 ? exitCodes.unhealthy : exitCodes.done;
  } catch (error) {
    shown.end();
    if (sandbox && !signal.aborted) await showFailure(sandbox, context, flags);
    throw error;
  } finally {
    if (sandbox) {
      shown.update('Stopping; press Ctrl-C again to stop at once');
      isClean ||= await giveBack(sandbox, places, context);
      shown.update('Stopping; press Ctrl-C again to stop at once');
      await sandbox.stop();
    }
    // Without a sandbox nothing was created.
    disks?.close(isClean || !sandbox);
    clear();
    forget();
    if (sandbox) shown.done(`stopped; nothing is left ${isClean ? 'behind' : 'on this machine'}`);
  }
};
