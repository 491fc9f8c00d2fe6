import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { describe, expect, it } from 'vitest';
import { createSpecMemory, type NotedSpec } from './spec-memory.ts';

const { signal } = new AbortController();
const drivers = (spec: object): VSphereDrivers =>
  ({ apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata: { name: 'cluster' }, spec }) as never;
const good = (server: string) =>
  drivers({ distribution: 'Native', vcenters: [{ server, credentialsSecret: 'vcenter' }], csi: {} });
const mistyped = drivers({ distribution: 'Mine' });

/** A note in a cluster, as a watch that is never late shows it. */
const createNote = () => {
  let value: NotedSpec = {};
  let version: string | undefined;
  let versions = 0;
  const calls: string[] = [];
  const put = (next: NotedSpec): void => {
    value = next;
    versions += 1;
    version = `${versions}`;
  };
  const store = {
    load: async () => {
      calls.push('load');
      return value;
    },
    save: async (next: NotedSpec) => {
      calls.push('save');
      put(next);
    },
  };
  const remove = (): void => {
    value = {};
    version = undefined;
  };
  return { store, calls, put, remove, noteVersion: () => version, value: () => value };
};

describe('the memory of the spec', () => {
  it('costs no call while nothing changes', async () => {
    const note = createNote();
    const memory = createSpecMemory(note);
    for (let pass = 0; pass < 10; pass++) await memory.keep(good('a.example.com'), { signal });
    expect(note.calls).toEqual(['load', 'save', 'load']);
  });

  it.each([
    ['is lost after the first pass', 1, (note: ReturnType<typeof createNote>) => note.remove()],
    ['is lost later', 3, (note: ReturnType<typeof createNote>) => note.remove()],
    [
      'is put back as it was',
      3,
      (note: ReturnType<typeof createNote>) => note.put({ spec: good('old.example.com').spec }),
    ],
  ])('writes a note again that %s', async (_what, passes, happens) => {
    const note = createNote();
    const memory = createSpecMemory(note);
    const resource = good('a.example.com');
    for (let pass = 0; pass < passes; pass++) await memory.keep(resource, { signal });
    happens(note);
    await memory.keep(resource, { signal });
    expect(note.value()).toEqual({ spec: resource.spec });
  });

  it('follows what this process read last when the note is lost, and what is noted after a restart', async () => {
    const note = createNote();
    const memory = createSpecMemory(note);
    const resource = good('a.example.com');
    await memory.read(resource);
    expect(await memory.read(mistyped)).toMatchObject({
      resource: { spec: resource.spec },
      problem: { code: 'ConfigInvalid' },
    });
    await expect(createSpecMemory(note).read(mistyped)).rejects.toMatchObject({ code: 'ConfigInvalid' });
    await memory.keep(resource, { signal });
    expect((await createSpecMemory(note).read(mistyped)).resource.spec).toEqual(resource.spec);
  });

  it('does not follow a note that cannot be read either', async () => {
    const note = createNote();
    note.put({ spec: mistyped.spec });
    await expect(createSpecMemory(note).read(mistyped)).rejects.toMatchObject({ code: 'ConfigInvalid' });
  });
});
