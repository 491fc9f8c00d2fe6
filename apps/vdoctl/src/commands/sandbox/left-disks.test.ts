import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { afterAll, describe, expect, it } from 'vitest';
import { addNote, type DiskNote, notesOfTheDead, removeLeftDisks, removeNote, urlOf } from './left-disks.ts';

const note: DiskNote = {
  pid: 2 ** 22 + 1,
  server: 'vc.example.com',
  port: 443,
  tls: {},
  username: 'u@vsphere.local',
  clusterId: 'ours',
  vms: ['vm-1', 'vm-2'],
};

/** A vCenter that has volumes of several clusters, of which some hang on VMs and have snapshots. */
const vcenterWith = (owners: Readonly<Record<string, readonly string[]>>) => {
  const volumes = new Map(Object.entries(owners));
  const attached = new Map([
    ['vm-1', ['a', 'theirs']],
    ['vm-2', ['b']],
  ]);
  const snapshots = new Set(['b']);
  const calls: string[] = [];
  type Removing = Parameters<typeof removeLeftDisks>[0];
  const vcenter = {
    cns: {
      queryVolumes: async ({ clusterIds = [] }: { readonly clusterIds?: readonly string[] }) =>
        [...volumes]
          .filter(([, ids]) => ids.some((id) => clusterIds.includes(id)))
          .map(([id, containerClusterIds]) => ({ id, containerClusterIds }) as unknown as CnsVolume),
      deleteVolume: async (id: string) => {
        if ([...attached.values()].flat().includes(id) || snapshots.has(id)) throw new Error(`${id} is in use`);
        calls.push(`delete ${id}`);
        return volumes.delete(id);
      },
      detach: async (items: readonly { readonly volumeId: string; readonly vm: { readonly value: string } }[]) =>
        items.map(({ volumeId, vm }) => {
          attached.set(
            vm.value,
            (attached.get(vm.value) ?? []).filter((id) => id !== volumeId),
          );
          calls.push(`detach ${volumeId} from ${vm.value}`);
          return { ok: true, value: undefined };
        }),
      querySnapshots: async ({ volumeId = '' }) => (snapshots.has(volumeId) ? [{ id: 's', volumeId }] : []),
      deleteSnapshot: async ({ volumeId }: { readonly volumeId: string }) => {
        calls.push(`delete the snapshot of ${volumeId}`);
        return snapshots.delete(volumeId);
      },
    },
    disks: { of: async () => new Map([...attached].map(([vm, ids]) => [vm, ids.map((volumeId) => ({ volumeId }))])) },
  } as unknown as Removing;
  return { vcenter, volumes, calls };
};

describe('disks that a killed sandbox left', () => {
  it('are detached and deleted by the id of its cluster, and no others', async () => {
    const { vcenter, volumes, calls } = vcenterWith({
      a: ['ours'],
      b: ['ours'],
      c: ['ours'],
      theirs: ['another'],
      shared: ['ours', 'another'],
    });
    const { signal } = new AbortController();
    expect(await removeLeftDisks(vcenter, note, signal)).toBe(3);
    expect([...volumes.keys()]).toEqual(['theirs', 'shared']);
    expect(calls).toEqual([
      'detach a from vm-1',
      'detach b from vm-2',
      'delete a',
      'delete the snapshot of b',
      'delete b',
      'delete c',
    ]);
    expect(await removeLeftDisks(vcenter, note, signal)).toBe(0);
  });
});

describe('the notes of disks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'notes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const context = { env: { VDO_SANDBOX_RECORD: join(folder, 'record.json') } };
  const uid = process.getuid?.() ?? -1;

  it('are those of sandboxes that are no more, and leave no file when all are settled', () => {
    addNote(context, uid, note);
    addNote(context, uid, { ...note, pid: process.pid, clusterId: 'runs' });
    expect(notesOfTheDead(context, uid)).toEqual([note]);
    // Somebody else's file is not believed.
    expect(notesOfTheDead(context, uid + 1)).toEqual([]);
    removeNote(context, uid, 'ours');
    removeNote(context, uid, 'runs');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('name the vCenter as a user does', () => {
    expect(urlOf(note)).toBe('https://vc.example.com');
    expect(urlOf({ server: 'fd00::1', port: 8989 })).toBe('https://[fd00::1]:8989');
  });
});
