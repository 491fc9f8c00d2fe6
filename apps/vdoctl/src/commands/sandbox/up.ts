import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { VdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { persistentVolumes } from '@vdo/kube/types/core';
import { aborted } from '@vdo/sandbox/aborted';
import { createExitStack } from '@vdo/sandbox/processes/exit-stack';
import { type ClusterChoice, type Sandbox, startSandbox } from '@vdo/sandbox/start-sandbox';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import type { SandboxRecord } from '../../cluster/sandbox-record.ts';
import { operatorImage, operatorObjects } from '../../install/operator-objects.ts';
import { paintFor } from '../../output/style.ts';
import { createProgress } from '../../progress/progress.ts';
import { statusReport } from '../status/report.ts';
import { countVolumes } from '../status/run.ts';
import { statusLines } from '../status/view.ts';
import type { SandboxFlags } from './commands.ts';
import { lockSandbox, refuseSecond, removeRecord, sweepAfterCrash, writeRecord } from './record.ts';
import { findBundles, findParts } from './repository.ts';
import { introduction, timed, whatNow } from './view.ts';

const namespace = 'vmware-system-vdo';

const showStatus = async ({ kube, server }: Sandbox, context: CliContext, flags: SandboxFlags): Promise<void> => {
  const resource = await kube.find(vsphereDrivers, { name: vsphereDriversName });
  const volumes = countVolumes((await kube.list(persistentVolumes)).items);
  const lines = statusLines(statusReport({ resource, server, volumes }), {
    paint: paintFor(context, flags),
    wide: false,
    width: Math.min(context.terminal.columns ?? 100, 120),
  });
  context.terminal.out(`\n${lines.join('\n')}\n\n`);
};

const chooseCluster = async (flags: SandboxFlags, here: string): Promise<ClusterChoice> => {
  if (!flags.real)
    return { kind: 'embedded', ...(flags.snapshot === undefined ? {} : { snapshotFolder: flags.snapshot }) };
  if (flags.snapshot === undefined) return { kind: 'real', part: await findParts(here) };
  throw new VdoError({
    code: 'InvalidArgument',
    message: '--snapshot keeps the objects of the embedded API server, and --real starts another one',
    remedy: 'Leave one of them out.',
  });
};

/** vdoctl sandbox */
export const sandboxUp: CommandRun<SandboxFlags> = async (context, flags) => {
  const { clock, random, terminal, signal, version } = context;
  await refuseSecond(context);
  const here = fileURLToPath(new URL('.', import.meta.url));
  const bundle = findBundles(here);
  const cluster = await chooseCluster(flags, here);
  const uid = process.getuid?.() ?? -1;
  const lock = lockSandbox(context, process.pid);
  const atExit = createExitStack(process);
  const clear = (): void => {
    removeRecord(context);
    lock.release();
  };
  // A second Ctrl-C does not wait: what is undone at the exit has to be quick, and leaves as little behind.
  const forget = atExit(() => {
    clear();
    terminal.err('\nStopped at once; nothing is left behind.\n');
  });
  const shown = createProgress(context);
  let sandbox: Sandbox | undefined;
  try {
    const swept = sweepAfterCrash(context, uid);
    if (swept !== undefined) terminal.err(`Removed what a sandbox that was killed had left in ${swept}.\n`);
    terminal.err(introduction);
    let record: SandboxRecord | undefined;
    sandbox = await startSandbox({
      nodeCount: flags.nodes,
      stepTimeoutMs: flags.timeout * 1000,
      dashboardPort: flags.dashboardPort,
      cluster,
      parentFolder: context.env['TMPDIR'] || tmpdir(),
      operatorObjects: operatorObjects({ version, image: operatorImage, replicas: 1 }),
      namespace,
      bundle,
      env: { PATH: context.env['PATH'] ?? '' },
      // Root may have real disks, unless simulated ones are asked for.
      uid: flags.simulateMounts ? -1 : uid,
      atExit,
      onAccount: async (account) => {
        if (!record) return;
        record = { ...record, vcenter: { ...record.vcenter, ...account } };
        await writeRecord(context, record);
      },
      clock,
      random,
      progress: timed(shown, clock),
      signal,
    });
    const { folder, kubeconfig, vcenter, control, dashboard } = sandbox;
    record = { pid: process.pid, folder, kubeconfig, vcenter, control, dashboard };
    await writeRecord(context, record);
    await sandbox.bringUp(signal);
    await showStatus(sandbox, context, flags);
    if (flags.once) await sandbox.takeDown(signal);
    else {
      terminal.out(whatNow(sandbox));
      await aborted(signal);
    }
    return exitCodes.done;
  } catch (error) {
    shown.end();
    if (sandbox && !signal.aborted) {
      await showStatus(sandbox, context, flags).catch(() => undefined);
      for (const line of await sandbox.tailLogs()) terminal.err(`${line}\n`);
    }
    throw error;
  } finally {
    if (sandbox) {
      shown.update('Stopping everything; a second Ctrl-C does not wait for it');
      await sandbox.stop();
    }
    clear();
    forget();
    if (sandbox) shown.done('stopped; nothing is left behind');
  }
};
