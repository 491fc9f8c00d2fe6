import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HttpTransport } from '@vdo/base/http';
import { attachLoopDisk, type LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import type { VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';

const run = promisify(execFile);
const pollMs = 20;

/** Real disks for the volumes of a simulated vCenter, with what is on them: snapshots and copies keep the data. Needs root. */
export interface StorageDisks {
  /** Stands between the driver and the simulator: it sees which volume is made from which snapshot. */
  readonly wire: (transport: HttpTransport) => HttpTransport;
  run(signal: AbortSignal): Promise<void>;
}

const bodyText = (body: unknown): string =>
  typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString();

/** Where the disks are mounted: here, or in a machine inside this one. */
export interface MountPlace {
  readonly mountInfoPath: string;
  /** Makes a path that is mounted there one that we can open. */
  path(mounted: string): string;
}
const here: MountPlace = { mountInfoPath: '/proc/self/mountinfo', path: (mounted) => mounted };

export const createStorageDisks = (
  sim: VSphereSim,
  folder: string,
  devRoot: string,
  place: MountPlace = here,
): StorageDisks => {
  const sysfsRoot = join(devRoot, '../sys');
  const sources = new Map<string, string>();
  const kept = new Set<string>();
  const attached = new Map<string, { readonly disk: LoopDisk; bytes: number }>();
  const image = (diskUuid: string) => join(folder, `${diskUuid}.img`);
  const snapshotImage = (id: string) => join(folder, `snapshot-${id}.img`);
  const copy = (from: string, to: string) => run('cp', ['--sparse=always', from, to]);
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  const flush = async ({ device }: LoopDisk): Promise<void> => {
    const lines = (await readFile(place.mountInfoPath, 'utf8')).split('\n');
    const target = lines.find((line) => line.includes(` ${device} `))?.split(' ')[4];
    if (target !== undefined) await run('sync', ['--file-system', place.path(target)]);
  };
  const takenImage = (volumeId: string) => join(folder, `taken-${volumeId}.img`);
  /** What is on the disk now is what a snapshot holds, whatever is written while vCenter is at it. */
  const take = async (volumeId: string): Promise<void> => {
    const volume = sim.volumes.get(volumeId);
    const known = attached.get(volumeId);
    if (known) await flush(known.disk);
    if (volume && (await exists(image(volume.diskUuid)))) await copy(image(volume.diskUuid), takenImage(volumeId));
  };
  const keepSnapshots = async (): Promise<void> => {
    for (const { id: volumeId, snapshots } of sim.volumes.list())
      for (const { id } of snapshots) {
        if (kept.has(id)) continue;
        // Several snapshots of a volume that are made at once hold the same.
        if (await exists(takenImage(volumeId))) await copy(takenImage(volumeId), snapshotImage(id));
        kept.add(id);
      }
  };

  let keeping: Promise<void> = Promise.resolve();
  /** One at a time: who finds a snapshot kept may read it. */
  const keep = (): Promise<void> => {
    keeping = keeping.catch(() => {}).then(keepSnapshots);
    return keeping;
  };

  const follow = async (): Promise<void> => {
    await keep();
    const wanted = new Map(sim.volumes.list().flatMap((one) => (one.attachedTo ? [[one.id, one] as const] : [])));
    for (const [id, { disk }] of attached) {
      if (wanted.has(id)) continue;
      attached.delete(id);
      await disk.detach();
    }
    for (const [id, { name, diskUuid, capacityMb }] of wanted) {
      const bytes = Number(capacityMb) * 1024 * 1024;
      const known = attached.get(id);
      if (known && known.bytes !== bytes) {
        known.bytes = bytes;
        await known.disk.grow(bytes);
      }
      if (known) continue;
      const source = sources.get(name);
      if (source && !(await exists(image(diskUuid)))) await copy(snapshotImage(source), image(diskUuid));
      attached.set(id, { disk: await attachLoopDisk({ folder, devRoot, sysfsRoot, diskUuid, bytes }), bytes });
    }
  };

  return {
    wire: (transport) => async (request) => {
      const text = bodyText(request.body ?? '');
      const isCopy = text.includes('CnsCreateVolume') && text.includes('snapshotId');
      const name = isCopy ? /<name[^>]*>([^<]+)<\/name>/.exec(text)?.[1] : undefined;
      const snapshot = /<snapshotId[^>]*>\s*<id[^>]*>([^<]+)<\/id>/.exec(text)?.[1];
      if (name && snapshot) {
        sources.set(name, snapshot);
        // That of a copy goes as soon as the copy is made.
        await keep();
      }
      const taken = /<volumeId[^>]*>\s*<id[^>]*>([^<]+)<\/id>/.exec(text)?.[1];
      if (text.includes('CnsCreateSnapshots') && taken) await take(taken);
      return transport(request);
    },
    run: async (signal) => {
      let problem: unknown;
      while (!signal.aborted) {
        problem = await follow().then(
          () => undefined,
          (error: unknown) => error,
        );
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      for (const { disk } of attached.values()) await disk.detach().catch(() => {});
      if (problem) throw problem;
    },
  };
};
