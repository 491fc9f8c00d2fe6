import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { CnsMutationOptions, CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { destructive } from '@vdo/vsphere/destructive/destructive-calls';
import { afterAll, describe, expect, it } from 'vitest';
import { addNote, type DiskNote, notesOfTheDead, removeLeftDisks, removeNote, urlOf } from './left-disks.ts';

const note: DiskNote = {
  pid: 2 ** 22 + 1,
  server: 'vc.example.com',
  port: 443,
  tls: {},
  username: 'u@vsphere.local',
  clusterId: 'ours',
  instanceUuid: 'vc-1',
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
  const sending = ({ fence }: CnsMutationOptions): void => fence.assertHeld();
  const vcenter = {
    instanceUuid: async () => 'vc-1',
    cns: {
      queryVolumes: async (filter: {
        readonly clusterIds?: readonly string[];
        readonly volumeIds?: readonly string[];
      }) =>
        [...volumes]
          .filter(([id, ids]) => filter.volumeIds?.includes(id) ?? ids.some((one) => filter.clusterIds?.includes(one)))
          .map(([id, containerClusterIds]) => ({ id, containerClusterIds }) as unknown as CnsVolume),
      querySnapshots: async ({ volumeId = '' }) => (snapshots.has(volumeId) ? [{ id: 's', volumeId }] : []),
    },
    [destructive]: {
      deleteVolume: async (id: string, options: CnsMutationOptions) => {
        sending(options);
        if ([...attached.values()].flat().includes(id) || snapshots.has(id)) throw new Error(`${id} is in use`);
        calls.push(`delete ${id}`);
        return volumes.delete(id);
      },
      detach: async (
        items: readonly { readonly volumeId: string; readonly vm: { readonly value: string } }[],
        options: CnsMutationOptions,
      ) => {
        sending(options);
        return items.map(({ volumeId, vm }) => {
          attached.set(
            vm.value,
            (attached.get(vm.value) ?? []).filter((id) => id !== volumeId),
          );
          calls.push(`detach ${volumeId} from ${vm.value}`);
          return { ok: true, value: undefined };
        });
      },
      deleteSnapshot: async ({ volumeId }: { readonly volumeId: string }, options: CnsMutationOptions) => {
        sending(options);
        calls.push(`delete the snapshot of ${volumeId}`);
        return snapshots.delete(volumeId);
      },
    },
    disks: { of: async () => new Map([...attached].map(([vm, ids]) => [vm, ids.map((volumeId) => ({ volumeId }))])) },
  } as unknown as Removing['vcenter'];
  return { vcenter, volumes, calls };
};
type Removing = Parameters<typeof removeLeftDisks>[0];
const removing = (vcenter: Removing['vcenter'], change: Partial<Removing> = {}): Removing => ({
  vcenter,
  note,
  readNotes: () => [note],
  clock: createVirtualClock(),
  random: createSeededRandom(1),
  signal: new AbortController().signal,
  ...change,
});

describe('disks that a killed sandbox left', () => {
  it('are detached and deleted by the id of its cluster, and no others', async () => {
    const { vcenter, volumes, calls } = vcenterWith({
      a: ['ours'],
      b: ['ours'],
      c: ['ours'],
      theirs: ['another'],
      shared: ['ours', 'another'],
    });
    expect(await removeLeftDisks(removing(vcenter))).toBe(3);
    expect([...volumes.keys()]).toEqual(['theirs', 'shared']);
    expect(calls).toEqual([
      'detach a from vm-1',
      'detach b from vm-2',
      'delete a',
      'delete the snapshot of b',
      'delete b',
      'delete c',
    ]);
    expect(await removeLeftDisks(removing(vcenter))).toBe(0);
  });

  it.each<[string, Partial<Removing>, RegExp]>([
    [
      'the vCenter of that name is another by now',
      { note: { ...note, instanceUuid: 'vc-0' }, readNotes: () => [{ ...note, instanceUuid: 'vc-0' }] },
      /it was created on vCenter vc-0/,
    ],
    [
      'an older release noted them without their vCenter',
      { readNotes: () => [{ ...note, instanceUuid: undefined } as unknown as DiskNote] },
      /its intent does not record the vCenter/,
    ],
    ['the note is gone', { readNotes: () => [] }, /its intent does not record the vCenter/],
    [
      'the sandbox runs after all',
      { readNotes: () => [{ ...note, pid: process.pid }] },
      /its intent does not record the vCenter/,
    ],
  ])('stay when %s', async (_when, change, why) => {
    const { vcenter, calls } = vcenterWith({ a: ['ours'] });
    await expect(removeLeftDisks(removing(vcenter, change))).rejects.toThrow(why);
    expect(calls).toEqual([]);
  });

  it('stay when another cluster has a share in them by then', async () => {
    const owners: Record<string, string[]> = { c: ['ours'] };
    const { vcenter, volumes, calls } = vcenterWith(owners);
    const readNotes = () => {
      volumes.set('c', ['ours', 'another']);
      return [note];
    };
    await expect(removeLeftDisks(removing(vcenter, { readNotes }))).rejects.toThrow(
      /for cluster ours, another, not for/,
    );
    expect(calls).toEqual([]);
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
