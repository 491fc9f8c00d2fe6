import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openFence } from '@vdo/base/fence';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { type CountedCall, callMortally, countOwnCalls, countPrograms } from './mortal-call.ts';
import type { MortalCall } from './mortal-node.ts';
import { blankVolume, defaultVolumeId, mountOf, type NodeTestbed, rawOf } from './node-testbed.ts';
import { accessPoint, simulateShares } from './simulated-shares.ts';

const run = promisify(execFile);

export type Kind = 'ext4' | 'xfs' | 'btrfs' | 'raw' | 'share';
/** `restage`: of a volume that has data. */
export type Step = 'stage' | 'restage' | 'publish' | 'expand' | 'unpublish' | 'unstage';
export type RetryOrder = 'as the kubelet does' | 'twice' | 'at once' | 'out of order';
export const retryOrders: readonly RetryOrder[] = ['as the kubelet does', 'twice', 'at once', 'out of order'];
export const steps: readonly Step[] = ['stage', 'restage', 'publish', 'expand', 'unpublish', 'unstage'];
export const sizeOf: Readonly<Record<Kind, number>> = { ext4: 32, raw: 32, xfs: 320, btrfs: 128, share: 1 };
export const kinds = Object.keys(sizeOf) as readonly Kind[];

export type Death = Pick<MortalCall, 'dieAt' | 'when' | 'signal' | 'call' | 'nth' | 'path'>;
/** What outlives a driver that is killed, an mkfs at the most, ends long before. */
const patienceMs = 60_000;
type State = 'unstaged' | 'staged' | 'published';

const stateBefore: Readonly<Record<Step, State>> = {
  ...{ stage: 'unstaged', restage: 'unstaged', publish: 'staged' },
  ...{ expand: 'published', unpublish: 'published', unstage: 'staged' },
};
const stateAfter: Readonly<Record<Step, State>> = {
  ...{ stage: 'staged', restage: 'staged', publish: 'published' },
  ...{ expand: 'published', unpublish: 'staged', unstage: 'unstaged' },
};
const methods: Readonly<Record<Step, MortalCall['method']>> = {
  ...{ stage: 'nodeStageVolume', restage: 'nodeStageVolume', publish: 'nodePublishVolume' },
  ...{ expand: 'nodeExpandVolume', unpublish: 'nodeUnpublishVolume', unstage: 'nodeUnstageVolume' },
};
const path: Readonly<Record<State, readonly Step[]>> = {
  ...{ unstaged: [], staged: ['restage'], published: ['restage', 'publish'] },
};

/** One volume of a kind, whose calls may die. Whatever happens, its data must be whole, nothing stuck, and nothing left in the end. */
export const createFaultyVolume = (testbed: NodeTestbed, kind: Kind) => {
  const bytes = sizeOf[kind] * 1024 * 1024;
  const [stagingTargetPath, targetPath, shares] = [
    testbed.path('staging'),
    testbed.path('target'),
    testbed.path('shares'),
  ];
  let disk: LoopDisk | undefined;
  let state: State = 'unstaged';
  let written: string | undefined;
  let turn = 0;

  const publishContext = () =>
    kind === 'share'
      ? { type: 'vSphere CNS File Volume', Nfsv4AccessPoint: accessPoint }
      : {
          type: 'vSphere CNS Block Volume',
          diskUUID: disk?.diskUuid ?? '',
          'vdo.vmware.com/size-bytes': String(bytes),
          'vdo.vmware.com/first-use': 'true',
        };
  const request = (requiredBytes: bigint | string) => ({
    ...{ volumeId: defaultVolumeId, stagingTargetPath, targetPath, volumePath: targetPath, readonly: false },
    volumeCapability: kind === 'raw' ? rawOf() : mountOf(kind === 'share' ? 'nfs4' : kind),
    ...{ publishContext: publishContext(), volumeContext: blankVolume, capacityRange: { requiredBytes } },
  });

  const makeFolder = async (step: Step): Promise<void> => {
    if (step === 'stage' || step === 'restage') await mkdir(stagingTargetPath, { recursive: true });
  };
  /** By a process of its own, so to speak: it shares no lock with the others. */
  const once = async (step: Step): Promise<unknown> => {
    await makeFolder(step);
    const service = testbed.serviceWith(simulateShares(createCommandRunner(process.env), shares));
    const { signal } = new AbortController();
    const handler = service[methods[step]] as (request: object, context: object) => Promise<unknown>;
    return handler(request(BigInt(bytes)), { signal, lifetime: signal, fence: openFence });
  };
  /** Until it succeeds, as the kubelet does; a call that never does is stuck. */
  const retry = async (step: Step): Promise<void> => {
    const startMs = performance.now();
    for (;;) {
      const error = await once(step).then(
        () => undefined,
        (caught: Error) => caught,
      );
      if (!error) return;
      if (performance.now() - startMs > patienceMs)
        throw new Error(`${kind}: ${step} is stuck: ${error.message}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const inDisorder = async (step: Step): Promise<void> => {
    await Promise.allSettled([once('unstage')]);
    await Promise.allSettled([once('publish')]);
    // What came out of turn may have undone what the step needs.
    for (const needed of path[stateBefore[step]]) await retry(needed);
    if (step === 'unstage' || step === 'stage' || step === 'restage') await retry('unpublish');
  };
  const recover = async (step: Step, order: RetryOrder): Promise<void> => {
    if (order === 'at once') await Promise.allSettled([once(step), once(step), once(step)]);
    if (order === 'out of order') await inDisorder(step);
    await retry(step);
    if (order === 'twice') await retry(step);
  };

  const file = kind === 'raw' ? targetPath : join(targetPath, 'file');
  const write = async (): Promise<void> => {
    const text = `whole ${String(++turn).padStart(6, '0')}`;
    await writeFile(file, text, { flag: kind === 'raw' ? 'r+' : 'w' });
    await run('sync', [file]);
    written = text;
  };
  const read = async (): Promise<string> => {
    if (kind === 'raw') return (await run('head', ['-c', '12', disk?.device ?? ''])).stdout;
    if (kind === 'share') return readFile(join(shares, 'content/file'), 'utf8');
    return readFile(join(stagingTargetPath, 'file'), 'utf8');
  };
  const assertWhole = async (): Promise<void> => {
    if (written === undefined || (state === 'unstaged' && kind !== 'share')) return;
    const found = await read().catch(String);
    if (found !== written) throw new Error(`${kind}: data is lost, found "${found}", expected "${written}"`);
  };
  const assertNothingLeft = async (): Promise<void> => {
    const mounts = await readFile('/proc/self/mountinfo', 'utf8');
    if (mounts.includes(testbed.folder)) throw new Error(`${kind}: something is still mounted`);
    if (existsSync(targetPath) || existsSync(stagingTargetPath)) throw new Error(`${kind}: a mount point is left`);
  };

  const go = async (step: Step): Promise<void> => {
    await retry(step);
    state = stateAfter[step];
  };
  const goTo = async (wanted: State): Promise<void> => {
    if (state === 'published' && wanted !== 'published') await go('unpublish');
    if (state === 'staged' && wanted === 'unstaged') await go('unstage');
    if (state === 'unstaged' && wanted !== 'unstaged') await go('restage');
    if (state === 'staged' && wanted === 'published') await go('publish');
    if (state === 'published') await write();
  };
  /** Images are in memory: those of thousands of cells do not fit. */
  const discard = async (): Promise<void> => {
    await disk?.detach();
    if (disk) await rm(disk.file);
    disk = undefined;
  };
  const renew = async (): Promise<void> => {
    await goTo('unstaged');
    if (written !== undefined) await assertNothingLeft();
    await discard();
    if (kind !== 'share') disk = await testbed.attach();
    written = undefined;
  };
  /** Before a step: a new disk for the first one, data on it for all others. */
  const prepare = async (step: Step): Promise<void> => {
    if (step === 'stage' || (kind !== 'share' && !disk)) await renew();
    if (step === 'stage') return;
    if (written === undefined) await goTo('published');
    await goTo(stateBefore[step]);
  };
  const mortal = (step: Step, death: Death): MortalCall => ({
    ...death,
    machine: { devRoot: testbed.devRoot, sysfsRoot: testbed.sysfsRoot },
    ...{ notes: testbed.path('staged'), usedNotes: testbed.path('used'), shares, method: methods[step] },
    request: request(String(bytes)),
  });

  /** Brings the volume to where the step begins, and lets the step die. False if it did not. */
  const die = async (step: Step, death: Death): Promise<boolean> => {
    await prepare(step);
    await makeFolder(step);
    return callMortally(testbed.folder, mortal(step, death));
  };
  const tryAgain = async (step: Step, order: RetryOrder): Promise<void> => {
    await recover(step, order);
    state = stateAfter[step];
    await assertWhole();
    if (state === 'unstaged') await assertNothingLeft();
  };

  return {
    /** What a step does if it is let live. */
    count: async (step: Step): Promise<CountedCall> => {
      const counted = async <T>(by: (folder: string, call: MortalCall) => Promise<T>): Promise<T> => {
        await prepare(step);
        await makeFolder(step);
        const living: Death = { dieAt: 0, when: 'itself', signal: 'SIGKILL', call: '', nth: 0 };
        const result = await by(testbed.folder, mortal(step, living));
        await go(step);
        return result;
      };
      // The first life of a node makes its folders; the points are those of all the others.
      const programs = await counted(countPrograms);
      return { own: await counted(countOwnCalls), programs };
    },
    /** A step that dies and is tried again; throws if data is lost, something stays mounted, or a call is stuck. False if it did not die. */
    survive: async (step: Step, death: Death, order: RetryOrder): Promise<boolean> => {
      const died = await die(step, death);
      await tryAgain(step, order);
      return died;
    },
    die,
    tryAgain,
    /** The device and the folder, which are different for every volume. */
    names: () => ({ device: disk?.device ?? '', file: disk?.file ?? '', diskUuid: disk?.diskUuid ?? '' }),
    /** The end of its life: it is whole, and nothing of it is left on the node. */
    end: async (): Promise<void> => {
      await goTo('unstaged');
      await assertNothingLeft();
      if (written !== undefined) {
        await goTo('staged');
        await assertWhole();
        await goTo('unstaged');
      }
      await discard();
    },
  };
};
