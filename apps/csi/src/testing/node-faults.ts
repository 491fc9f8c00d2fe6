import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VolumeCapability_AccessMode_Mode as Mode } from '@vdo/csi-proto/gen/csi-pb';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { build } from 'esbuild';
import type { MortalCall } from './mortal-node.ts';
import { blankVolume, type Capability, defaultVolumeId, mountOf, type NodeHouse, rawOf } from './node-house.ts';

export type Kind = 'ext4' | 'xfs' | 'btrfs' | 'raw';
export type Step = 'stage' | 'publish' | 'expand' | 'unpublish' | 'unstage';
export type RetryOrder = 'as the kubelet does' | 'twice' | 'at once' | 'out of order';
export const retryOrders: readonly RetryOrder[] = ['as the kubelet does', 'twice', 'at once', 'out of order'];
export const steps: readonly Step[] = ['stage', 'publish', 'expand', 'unpublish', 'unstage'];
export const sizeOf: Readonly<Record<Kind, number>> = { ext4: 32, raw: 32, xfs: 320, btrfs: 128 };

export interface Death extends Pick<MortalCall, 'dieAt' | 'when' | 'signal' | 'nth'> {
  readonly step: Step;
}

const run = promisify(execFile);
const program = (folder: string): string => join(folder, 'mortal-node.mjs');

/** Makes the program that dies; once per house. */
export const buildMortalNode = async (folder: string): Promise<void> => {
  await build({
    entryPoints: [new URL('./mortal-node.ts', import.meta.url).pathname],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile: program(folder), logLevel: 'silent' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
};

const capabilityOf = (kind: Kind): Capability => (kind === 'raw' ? rawOf(Mode.SINGLE_NODE_WRITER) : mountOf(kind));

/** The life of one volume, in which each step is a call that may die. */
export const createVolumeLife = (house: NodeHouse, kind: Kind, disk: LoopDisk) => {
  const capability = capabilityOf(kind);
  const bytes = sizeOf[kind] * 1024 * 1024;
  const [stagingTargetPath, targetPath] = [house.path('staging'), house.path('target')];
  const common = {
    ...{
      volumeId: defaultVolumeId,
      stagingTargetPath,
      targetPath,
      volumePath: targetPath,
      volumeCapability: capability,
    },
    publishContext: {
      type: 'vSphere CNS Block Volume',
      diskUUID: disk.diskUuid,
      'vdo.vmware.com/size-bytes': String(bytes),
      'vdo.vmware.com/first-use': 'true',
    },
    ...{ volumeContext: blankVolume, readonly: false, capacityRange: { requiredBytes: String(bytes) } },
  };
  const methods: Readonly<Record<Step, MortalCall['method']>> = {
    stage: 'nodeStageVolume',
    publish: 'nodePublishVolume',
    expand: 'nodeExpandVolume',
    unpublish: 'nodeUnpublishVolume',
    unstage: 'nodeUnstageVolume',
  };
  const calls = () => house.calls();
  const once: Readonly<Record<Step, () => Promise<unknown>>> = {
    stage: async () => {
      await mkdir(stagingTargetPath, { recursive: true });
      return calls().stage(disk, { capability, bytes });
    },
    publish: () => calls().publish(disk, { capability }),
    // What it is to be grown to, it has: this machine may not let ext4 grow.
    expand: () => (kind === 'ext4' ? Promise.resolve() : calls().expand(bytes)),
    unpublish: () => calls().unpublish(),
    unstage: () => calls().unstage(),
  };
  /** Until it succeeds, as the kubelet does; a call that never does is stuck. */
  const retry = async (step: Step): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const error = await once[step]().then(
        () => undefined,
        (caught: Error) => caught,
      );
      if (!error) return;
      if (tries >= 12) throw new Error(`${kind}: ${step} is stuck: ${error.message}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };
  const recover = async (step: Step, order: RetryOrder): Promise<void> => {
    if (order === 'at once') await Promise.allSettled([once[step](), once[step](), once[step]()]);
    if (order === 'out of order') {
      await Promise.allSettled([once.unstage()]);
      await Promise.allSettled([once.publish()]);
      if (step === 'publish' || step === 'expand' || step === 'unpublish') await retry('stage');
      if (step === 'expand') await retry('publish');
      if (step === 'unstage') await retry('unpublish');
    }
    await retry(step);
    if (order === 'twice') await retry(step);
  };
  const die = async (death: Death): Promise<number> => {
    if (death.step === 'stage') await mkdir(stagingTargetPath, { recursive: true });
    const mortal: MortalCall = {
      ...death,
      machine: { devRoot: house.devRoot, sysfsRoot: house.sysfsRoot },
      ...{ notes: house.path('staged'), usedNotes: house.path('used'), method: methods[death.step], request: common },
    };
    const ended = await run(process.execPath, [program(house.folder), JSON.stringify(mortal)]).catch(
      (error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? '' }),
    );
    return (JSON.parse(ended.stdout || '{"count":0}') as { readonly count: number }).count;
  };

  const file = house.path(kind === 'raw' ? 'target' : 'target/file');
  const write = (text: string) => writeFile(file, text, { flag: kind === 'raw' ? 'r+' : 'w' });
  const read = async (): Promise<string> =>
    kind === 'raw'
      ? (await run('head', ['-c', '5', disk.device])).stdout
      : readFile(join(stagingTargetPath, 'file'), 'utf8');

  return {
    /** How many programs each step starts. */
    count: (step: Step) => die({ step, dieAt: 0, when: 'before', signal: 'SIGKILL', nth: 1 }),
    retry,
    write,
    /** From the first step to the last, with one death; throws if data is lost, something stays mounted, or a call is stuck. */
    live: async (death: Death, order: RetryOrder): Promise<void> => {
      for (const step of steps) {
        if (step === death.step) {
          await die(death);
          await recover(step, order);
        } else await retry(step);
        if (step === 'publish') await write('whole');
      }
      const mounts = await readFile('/proc/self/mountinfo', 'utf8');
      if (mounts.includes(house.folder)) throw new Error(`${kind}: something is still mounted`);
      if (existsSync(targetPath) || existsSync(stagingTargetPath)) throw new Error(`${kind}: a mount point is left`);
      await retry('stage');
      const found = await read();
      if (found !== 'whole') throw new Error(`${kind}: data is lost, found "${found}"`);
      await retry('unstage');
    },
  };
};
