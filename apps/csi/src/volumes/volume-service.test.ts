import { openFence } from '@vdo/base/fence';
import type { HttpTransport } from '@vdo/base/http';
import { VdoError } from '@vdo/base/vdo-error';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import type { IntentStore, VolumeIntent } from '../intents/volume-intent.ts';
import { createDomainTestbed, type DomainTestbed, type DomainTestbedOptions } from '../testing/domain-testbed.ts';
import type { CallContext } from './call-context.ts';
import type { CreateVolumeSpec, VolumeService } from './volume.ts';

const gib = 1024n ** 3n;
const hourMs = 3_600_000;
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

let testbed: DomainTestbed;
const setUp = (options?: DomainTestbedOptions) => {
  testbed = createDomainTestbed(options);
};
afterEach(() => testbed.close());

const create = (overrides: Partial<CreateVolumeSpec> = {}, service: VolumeService = testbed.service) =>
  testbed.run(service.create(spec(overrides), context()));
const remove = (id: string) => testbed.run(testbed.service.delete(id, context()));
const asked = (method: string) => testbed.sim.recorder.count(method);
const disks = () => testbed.sim.volumes.list();
/** Made by somebody else. */
const makeDisk = (name: string, clusterId: string) => {
  const cluster = { clusterId, vSphereUser: 'u', distribution: 'd' };
  const [vcenter] = testbed.vcenters;
  if (!vcenter) throw new Error('no vCenter');
  return testbed.run(
    vcenter.cns.createBlockVolume({ name, capacityMb: 1024n, datastores: [], cluster }, { fence: openFence }),
  );
};

describe('creating a volume', () => {
  it('asks vCenter once and keeps the intent until it is acknowledged', async () => {
    setUp();
    const volume = await create();
    expect(volume).toMatchObject({ name: 'pvc-1', sizeMb: 1024n, server: 'vc1.example.com', blank: true });
    expect(
      testbed.sim.recorder.calls().flatMap(({ endpoint, method }) => (endpoint === '/vsanHealth' ? method : [])),
    ).toEqual(['CnsQueryVolume', 'CnsCreateVolume']);
    expect(testbed.kept.get('pvc-1')).toBeDefined();
    await testbed.service.acknowledge('pvc-1', context());
    expect(testbed.kept.size).toBe(0);
  });

  it('gives the same volume when asked again, after a restart and without an intent', async () => {
    setUp();
    const first = await create();
    const { service: volumes } = testbed.start('second');
    await volumes.acknowledge('pvc-1', context());
    const second = await create({}, volumes);
    expect(second.id).toBe(first.id);
    expect(second.blank).toBeUndefined();
    expect(disks()).toHaveLength(1);
  });

  it('lets equal requests at the same time share one creation', async () => {
    setUp();
    const volumes = await Promise.all([1, 2, 3].map(() => create()));
    expect(new Set(volumes.map(({ id }) => id)).size).toBe(1);
    expect(asked('CnsCreateVolume')).toBe(1);
  });

  it('refuses a different request for a name that is being created', async () => {
    setUp();
    const running = create();
    const other = create({ size: { requiredBytes: 2n * gib, limitBytes: 0n } });
    await expect(other).rejects.toMatchObject({ code: 'VolumeBusy' });
    await running;
  });

  it.each([
    ['a larger size', { size: { requiredBytes: 2n * gib, limitBytes: 0n } }],
    ['a smaller limit', { size: { requiredBytes: 1n, limitBytes: gib - 1n } }],
    ['another datastore', { datastoreUrl: 'ds:///other/' }],
  ])('refuses to reuse an existing volume for %s, and deletes nothing', async (_name, change) => {
    setUp();
    await create();
    await expect(create(change)).rejects.toMatchObject({ code: 'VolumeConflict' });
    expect(disks()).toHaveLength(1);
  });

  it('uses one of several volumes of the name and leaves the others alone', async () => {
    setUp();
    const { id } = await create();
    await makeDisk('pvc-1', 'cluster-a');
    expect((await create({}, testbed.start('second').service)).id).toBe(id);
    expect(disks()).toHaveLength(2);
  });

  it('goes on when the caller gives up, so that his retry joins it', async () => {
    setUp();
    const caller = new AbortController();
    const abandoned = testbed.service.create(spec(), context({ signal: caller.signal }));
    caller.abort();
    await expect(abandoned).rejects.toThrow();
    await expect(create()).resolves.toMatchObject({ blank: true });
    expect(asked('CnsCreateVolume')).toBe(1);
  });

  it('does not ask vCenter when the Lease is gone', async () => {
    setUp();
    const fence = {
      assertHeld: () => {
        throw new VdoError({ code: 'LeaseLost', message: 'made up', remedy: 'none' });
      },
    };
    const creating = testbed.run(testbed.service.create(spec(), context({ fence })));
    await expect(creating).rejects.toMatchObject({ code: 'LeaseLost' });
    expect(asked('CnsCreateVolume')).toBe(0);
  });

  it('forgets the intent of a creation that vCenter refused', async () => {
    setUp();
    const effect = { kind: 'fault', fault: { $type: 'RuntimeFault' } } as const;
    testbed.sim.control.addFault({ method: 'CnsCreateVolume', effect });
    await expect(create()).rejects.toMatchObject({ code: 'VCenterFault' });
    expect(testbed.kept.size).toBe(0);
  });

  it('waits before asking again when the reply was lost', async () => {
    setUp();
    testbed.sim.control.addFault({ method: 'CnsCreateVolume', times: 1, effect: { kind: 'drop', when: 'before' } });
    await expect(create()).rejects.toMatchObject({ code: 'VCenterUnreachable' });
    await expect(create()).rejects.toMatchObject({ code: 'VolumeBusy' });
    await testbed.clock.advance(61_000);
    await expect(create()).resolves.toMatchObject({ blank: true });
  });

  it('creates nothing while a vCenter that may hold the volume does not answer', async () => {
    setUp();
    testbed.sim.control.addFault({ method: 'CnsQuery*', effect: { kind: 'drop', when: 'before' } });
    await expect(create()).rejects.toMatchObject({ code: 'VCenterUnreachable' });
    expect(asked('CnsCreateVolume')).toBe(0);
  });
});

describe('a crash while creating', () => {
  const never = () => new Promise<never>(() => {});
  const isCall = (body: unknown, method: string) => String(body).includes(`<${method} `);
  const requests = ['CnsQueryVolume', 'CnsCreateVolume'];
  const points = [...requests, 'put', 'remove'].flatMap((step) => [`before ${step}`, `after ${step}`]);

  it.each(points)('%s leaves one volume and no intent after the restart', async (point) => {
    let reached = false;
    let kill = () => {};
    /** Dies at the point, whoever waits. */
    const pass = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
      const die = (here: string) => {
        if (here !== point || reached) return undefined;
        reached = true;
        kill();
        return never();
      };
      await die(`before ${step}`);
      const result = await work();
      await die(`after ${step}`);
      return result;
    };
    const wire =
      (transport: HttpTransport, identity: string): HttpTransport =>
      (request) => {
        const method = requests.find((name) => identity === 'first' && isCall(request.body, name));
        return method ? pass(method, () => transport(request)) : transport(request);
      };
    const crashing = (store: IntentStore): IntentStore => ({
      ...store,
      put: (intent: VolumeIntent, options) => pass('put', () => store.put(intent, options)),
      remove: (name, options) => pass('remove', () => store.remove(name, options)),
    });
    const createOnce = async (service: VolumeService) => {
      const volume = await service.create(spec(), context());
      await service.acknowledge('pvc-1', context());
      return volume;
    };
    setUp({ wire });
    const first = testbed.start('first', crashing);
    kill = first.kill;
    createOnce(first.service).catch(() => {});
    for (let step = 0; step < 100 && !reached; step++) await testbed.clock.advance(100);
    expect(reached).toBe(true);

    const { service: volumes } = testbed.start('second');
    const volume = await testbed.run(createOnce(volumes)).catch(async () => {
      // Whoever asked is dead: whether vCenter has forgotten its task, nobody is left to tell.
      await testbed.clock.advance(361_000);
      return testbed.run(createOnce(volumes));
    });
    expect(disks().map(({ id }) => id)).toEqual([volume.id]);
    expect(testbed.kept.size).toBe(0);
  });
});

describe('deleting a volume', () => {
  it('deletes it, and is content when it is gone', async () => {
    setUp();
    const { id } = await create();
    await remove(id);
    await remove(id);
    expect(disks()).toEqual([]);
    expect(asked('CnsDeleteVolume')).toBe(1);
  });

  it('is content with an id that no volume can have, without asking vCenter', async () => {
    setUp();
    await testbed.service.delete('not-a-volume', context());
    expect(asked('CnsQueryVolume') + asked('CnsDeleteVolume')).toBe(0);
  });

  it('does not touch a volume of another cluster', async () => {
    setUp();
    const { id } = await makeDisk('pvc-1', 'cluster-b');
    await expect(remove(id)).rejects.toMatchObject({ code: 'VolumeForeign' });
    expect(disks()).toHaveLength(1);
  });

  it('does not claim success while a vCenter that may hold it is silent', async () => {
    setUp({ models: [demoModel(), demoModel()] });
    testbed.sims[1]?.control.restart(hourMs);
    await expect(remove('00000000-0000-4000-8000-00000000ffff')).rejects.toMatchObject({ code: 'VCenterUnreachable' });
  });
});
