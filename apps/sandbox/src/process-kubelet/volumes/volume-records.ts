import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the kubelet has done, or was about to do, with a volume on a node. */
export interface VolumeRecord {
  readonly nodeName: string;
  readonly volumeName: string;
  readonly driver: string;
  readonly volumeHandle: string;
  readonly claim: { readonly namespace: string; readonly name: string };
  /** Whether the node reports it as in use, so that it is not detached. */
  readonly attachable: boolean;
  /** Since just before it was staged. */
  readonly stagingPath?: string;
  /** The pods that need it, by UID, with the path; written just before it is published to the pod. */
  readonly pods: Readonly<Record<string, { readonly targetPath?: string }>>;
}

/** Survives the kubelet: written before each step, so that no mounted volume is forgotten. */
export interface VolumeRecords {
  all(): readonly VolumeRecord[];
  get(id: string): VolumeRecord | undefined;
  put(record: VolumeRecord): Promise<void>;
  remove(record: VolumeRecord): Promise<void>;
}

export const recordId = ({ nodeName, volumeName }: Pick<VolumeRecord, 'nodeName' | 'volumeName'>): string =>
  createHash('sha256').update(`${nodeName}/${volumeName}`).digest('hex').slice(0, 16);

export const openVolumeRecords = async (folder: string): Promise<VolumeRecords> => {
  await mkdir(folder, { recursive: true });
  const records = new Map<string, VolumeRecord>();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.json'))) {
    const record = JSON.parse(await readFile(join(folder, file), 'utf8')) as VolumeRecord;
    records.set(recordId(record), record);
  }
  const fileOf = (id: string) => join(folder, `${id}.json`);
  return {
    all: () => [...records.values()],
    get: (id) => records.get(id),
    put: async (record) => {
      const id = recordId(record);
      // A rename is atomic, even if this process is killed.
      await writeFile(`${fileOf(id)}.new`, JSON.stringify(record));
      await rename(`${fileOf(id)}.new`, fileOf(id));
      records.set(id, record);
    },
    remove: async (record) => {
      const id = recordId(record);
      await rm(fileOf(id), { force: true });
      records.delete(id);
    },
  };
};
