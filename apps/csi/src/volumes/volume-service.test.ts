import { openFence } from '@vdo/base/fence';
import { silentLogger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { CallContext } from '@vdo/csi-proto/rpc/call-context';
import { describe, expect, it } from 'vitest';
import { createMemoryIntentStore } from '../intents/memory-intent-store.ts';
import type { IntentStore, VolumeIntent } from '../intents/volume-intent.ts';
import { createPolicyFilter } from '../placement/policy-filter.ts';
import { createFakeCnsState, type FakeCnsStep } from '../testing/fake-cns.ts';
import { createFakeVCenter, datastore } from '../testing/fake-vcenter.ts';
import type { CreateVolumeSpec } from './volume.ts';
import { createVolumeLocator } from './volume-locator.ts';
import { createVolumeService } from './volume-service.ts';
import { createVolumeSources } from './volume-source.ts';

const gib = 1024n ** 3n;
const spec = (overrides: Partial<CreateVolumeSpec> = {}): CreateVolumeSpec => ({
  name: 'pvc-1',
  size: { requiredBytes: gib, limitBytes: 0n },
  topologies: [],
  ...overrides,
});
const context = (overrides: Partial<CallContext> = {}): CallContext => {
  const { signal } = new AbortController();
  return { signal, lifetime: signal, fence: openFence, ...overrides };
};
const error = (code: VdoError['code']) => new VdoError({ code, message: 'made up', remedy: 'none' });

class Crash extends Error {}

const setUp = () => {
  const kept = new Map<string, VolumeIntent>();
  const clock = createVirtualClock();
  const cns = createFakeCnsState();
  /** A new process over the same cluster and vCenter. */
  const start = (wrap: (store: IntentStore) => IntentStore = (store) => store, servers = ['vc1.example']) => {
    const vcenters = servers.map((server) =>
      createFakeVCenter({ server, ...(server === 'vc1.example' ? { cns } : {}) }),
    );
    const [first] = vcenters;
    if (!first) throw new Error('no vCenter');
    const placer = { place: async () => ({ vcenter: first, datastores: [datastore('shared')] }), invalidate: () => {} };
    const service = createVolumeService({
      vcenters,
      locator: createVolumeLocator({ vcenters, clusterId: 'cluster-a' }),
      policies: createPolicyFilter({ clock }),
      sources: createVolumeSources({
        vcenters,
        locator: createVolumeLocator({ vcenters, clusterId: 'cluster-a' }),
        clusterId: 'cluster-a',
        isDeclared: () => false,
      }),
      placer,
      intents: wrap(createMemoryIntentStore(kept)),
      clusterId: 'cluster-a',
      clusterOn: async () => ({ clusterId: 'cluster-a', vSphereUser: 'csi@vsphere.local', distribution: 'VANILLA' }),
      clock,
      logger: silentLogger,
    });
    return { service, vcenters };
  };
  return { kept, clock, cns, start };
};

describe('creating a volume', () => {
  it('asks vCenter once and keeps the intent until it is acknowledged', async () => {
    const { start, cns, kept } = setUp();
    const { service } = start();
    const volume = await service.create(spec(), context());
    expect(volume).toMatchObject({ name: 'pvc-1', sizeMb: 1024n, server: 'vc1.example', blank: true });
    expect(cns.calls).toEqual(['query', 'create', 'accepted', 'created']);
    expect(kept.get('pvc-1')).toBeDefined();
    await service.acknowledge('pvc-1', context());
    expect(kept.size).toBe(0);
  });

  it('gives the same volume when asked again, after a restart and without an intent', async () => {
    const { start, cns } = setUp();
    const first = await start().service.create(spec(), context());
    const { service } = start();
    await service.acknowledge('pvc-1', context());
    const second = await service.create(spec(), context());
    expect(second.id).toBe(first.id);
    expect(second.blank).toBeUndefined();
    expect(cns.volumes.size).toBe(1);
  });

  it('lets equal requests at the same time share one creation', async () => {
    const { start, cns } = setUp();
    const { service } = start();
    const volumes = await Promise.all([1, 2, 3].map(() => service.create(spec(), context())));
    expect(new Set(volumes.map(({ id }) => id)).size).toBe(1);
    expect(cns.calls.filter((call) => call === 'create')).toHaveLength(1);
  });

  it('refuses a different request for a name that is being created', async () => {
    const { start } = setUp();
    const { service } = start();
    const running = service.create(spec(), context());
    const other = service.create(spec({ size: { requiredBytes: 2n * gib, limitBytes: 0n } }), context());
    await expect(other).rejects.toMatchObject({ code: 'VolumeBusy' });
    await running;
  });

  it.each([
    ['a larger size', { size: { requiredBytes: 2n * gib, limitBytes: 0n } }],
    ['a smaller limit', { size: { requiredBytes: 1n, limitBytes: gib - 1n } }],
    ['another datastore', { datastoreUrl: 'ds:///other/' }],
  ])('refuses to reuse an existing volume for %s, and deletes nothing', async (_name, change) => {
    const { start, cns } = setUp();
    const { service } = start();
    await service.create(spec(), context());
    await expect(service.create(spec(change), context())).rejects.toMatchObject({ code: 'VolumeConflict' });
    expect(cns.volumes.size).toBe(1);
  });

  it('uses one of several volumes of the name and leaves the others alone', async () => {
    const { start, cns } = setUp();
    await start().service.create(spec(), context());
    const [volume] = cns.volumes.values();
    if (volume) cns.volumes.set('f', { ...volume, id: 'f0000000-0000-4000-8000-000000000000' });
    const again = await start().service.create(spec(), context());
    expect(again.id).toBe(volume?.id);
    expect(cns.volumes.size).toBe(2);
  });

  it('goes on when the caller gives up, so that his retry joins it', async () => {
    const { start, cns } = setUp();
    const { service } = start();
    const caller = new AbortController();
    const abandoned = service.create(spec(), context({ signal: caller.signal }));
    caller.abort();
    await expect(abandoned).rejects.toThrow();
    await expect(service.create(spec(), context())).resolves.toMatchObject({ blank: true });
    expect(cns.volumes.size).toBe(1);
  });

  it('does not ask vCenter when the Lease is gone', async () => {
    const { start, cns } = setUp();
    const fence = {
      assertHeld: () => {
        throw error('LeaseLost');
      },
    };
    await expect(start().service.create(spec(), context({ fence }))).rejects.toMatchObject({ code: 'LeaseLost' });
    expect(cns.volumes.size).toBe(0);
  });

  it('forgets the intent of a creation that vCenter refused', async () => {
    const { start, cns, kept } = setUp();
    cns.onStep = (step) => {
      if (step === 'create') throw error('VCenterFault');
    };
    await expect(start().service.create(spec(), context())).rejects.toMatchObject({ code: 'VCenterFault' });
    expect(kept.size).toBe(0);
  });

  it('waits before asking again when the reply was lost', async () => {
    const { start, cns, clock } = setUp();
    cns.onStep = (step) => {
      if (step === 'create') throw error('VCenterUnreachable');
    };
    const { service } = start();
    await expect(service.create(spec(), context())).rejects.toMatchObject({ code: 'VCenterUnreachable' });
    cns.onStep = () => {};
    await expect(service.create(spec(), context())).rejects.toMatchObject({ code: 'VolumeBusy' });
    await clock.advance(61_000);
    await expect(service.create(spec(), context())).resolves.toMatchObject({ blank: true });
  });

  it('creates nothing while a vCenter that may hold the volume does not answer', async () => {
    const { start, cns } = setUp();
    const { service, vcenters } = start();
    vcenters[0]?.fail(error('VCenterUnreachable'));
    await expect(service.create(spec(), context())).rejects.toMatchObject({ code: 'VCenterUnreachable' });
    expect(cns.calls).toEqual(['query']);
  });
});

describe('a crash while creating', () => {
  const cnsSteps: readonly FakeCnsStep[] = ['query', 'create', 'accepted', 'created'];
  const storeSteps = ['before put 1', 'after put 1', 'before remove', 'after remove'];

  const crashingStore = (at: string) => (store: IntentStore) => {
    let puts = 0;
    const die = (point: string) => {
      if (point === at) throw new Crash(point);
    };
    return {
      ...store,
      put: async (intent: VolumeIntent, options: { readonly signal: AbortSignal }) => {
        puts++;
        die(`before put ${puts}`);
        await store.put(intent, options);
        die(`after put ${puts}`);
      },
      remove: async (name: string, options: { readonly signal: AbortSignal }) => {
        die('before remove');
        await store.remove(name, options);
        die('after remove');
      },
    };
  };

  const createOnce = async (service: ReturnType<ReturnType<typeof setUp>['start']>['service']) => {
    const volume = await service.create(spec(), context());
    await service.acknowledge('pvc-1', context());
    return volume;
  };

  it.each([...cnsSteps, ...storeSteps])('at "%s" leaves one volume and no intent after the restart', async (point) => {
    const { start, cns, kept, clock } = setUp();
    cns.onStep = (step) => {
      if (step === point) throw new Crash(point);
    };
    await createOnce(start(crashingStore(point)).service).catch(() => {});
    cns.onStep = () => {};

    const { service } = start();
    const volume = await createOnce(service).catch(async () => {
      await clock.advance(61_000);
      return createOnce(service);
    });
    expect([...cns.volumes.keys()]).toEqual([volume.id]);
    expect(kept.size).toBe(0);
  });
});

describe('deleting a volume', () => {
  it('deletes it, and is content when it is gone', async () => {
    const { start, cns } = setUp();
    const { service } = start();
    const { id } = await service.create(spec(), context());
    await service.delete(id, context());
    await service.delete(id, context());
    expect(cns.volumes.size).toBe(0);
    expect(cns.calls.filter((call) => call === 'delete')).toHaveLength(1);
  });

  it('is content with an id that no volume can have, without asking vCenter', async () => {
    const { start, cns } = setUp();
    await start().service.delete('not-a-volume', context());
    expect(cns.calls).toEqual([]);
  });

  it('does not touch a volume of another cluster', async () => {
    const { start, cns } = setUp();
    const { service } = start();
    const { id } = await service.create(spec(), context());
    const volume = cns.volumes.get(id);
    if (volume) cns.volumes.set(id, { ...volume, containerClusterIds: ['cluster-b'] });
    await expect(service.delete(id, context())).rejects.toMatchObject({ code: 'VolumeForeign' });
    expect(cns.volumes.size).toBe(1);
  });

  it('does not claim success while a vCenter that may hold it is silent', async () => {
    const { start } = setUp();
    const { service, vcenters } = start(undefined, ['vc1.example', 'vc2.example']);
    vcenters[1]?.fail(error('VCenterUnreachable'));
    await expect(service.delete('00000000-0000-4000-8000-00000000ffff', context())).rejects.toMatchObject({
      code: 'VCenterUnreachable',
    });
  });
});
