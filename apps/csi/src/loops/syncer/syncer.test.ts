import {
  configMaps,
  nodes,
  type PersistentVolume,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import type { VolumeStore } from '@vdo/vsphere-sim/cns/volume-store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSimHouse, type SimHouseOptions } from '../../testing/sim-house.ts';

type House = ReturnType<typeof createSimHouse>;
// Hours of virtual time take a while on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const houses: House[] = [];
const open = async (options: SimHouseOptions = {}): Promise<House> => {
  const house = createSimHouse(options);
  houses.push(house);
  await house.setUp();
  return house;
};
afterEach(async () => {
  for (const house of houses.splice(0)) await house.stop();
});

/** What happens in vCenter behind the driver's back. */
const store = (house: House) => house.sim.volumes as VolumeStore;

interface Shown {
  readonly entityType: string;
  readonly entityName: string;
  readonly namespace?: string;
  readonly labels: readonly { readonly key: string; readonly value: string }[];
  readonly referredEntity: readonly { readonly entityName: string }[];
}
const shownOf = (house: House, id: string): readonly Shown[] =>
  (house.sim.volumes.get(id)?.metadata?.entityMetadata ?? []) as unknown as readonly Shown[];
const names = (house: House, id: string) =>
  shownOf(house, id).map(({ entityType, entityName, referredEntity }) =>
    [entityType, entityName, ...referredEntity.map((one) => one.entityName)].join(' '),
  );
const updates = (house: House) =>
  house.sim.recorder.calls().filter(({ method }) => method === 'CnsUpdateVolumeMetadata').length;
const pod = (name: string, claimName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    nodeName: 'node-1',
    containers: [{ name: 'main', image: 'x' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  },
});
const report = async (house: House) => {
  const found = await house.client.find(configMaps, { namespace: 'vmware-system-vdo', name: 'vsphere-csi-sync' });
  return found?.data ?? {};
};
const orphans = async (house: House) => JSON.parse((await report(house))['orphans'] ?? '{}');
const minutes = (count: number) => count * 60_000;
const staticVolume = (name: string, volumeHandle: string): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName: '',
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle, fsType: 'ext4' },
  },
});

describe('vCenter shows', () => {
  it('the volume, its claim and its pods, and what becomes of them', async () => {
    const house = await open({ csi: { fullSyncIntervalMinutes: 2 } });
    house.start();
    await house.claim('data');
    const claim = await house.bound('data');
    const [disk] = house.sim.volumes.list();
    const id = disk?.id ?? '';
    const volume = claim.spec.volumeName ?? '';
    await house.until('volume and claim', () => names(house, id).length === 2);
    expect(names(house, id)).toEqual([`PERSISTENT_VOLUME ${volume}`, `PERSISTENT_VOLUME_CLAIM data ${volume}`]);
    await house.client.create(pods, pod('web', 'data'));
    await house.until('the pod', () => names(house, id).length === 3);
    expect(names(house, id)[2]).toBe('POD web data');
    const body = { metadata: { labels: { team: 'blue' } } };
    await house.client.patch(persistentVolumeClaims, { namespace: 'default', name: 'data' }, { type: 'merge', body });
    await house.until('the label', () =>
      shownOf(house, id).some(({ labels }) => labels.some(({ value }) => value === 'blue')),
    );
    await house.client.delete(pods, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    await house.until('no pod', () => names(house, id).length === 2);
    // What has not changed is not sent again.
    const before = updates(house);
    await house.clock.advance(minutes(5));
    // One heartbeat.
    expect(updates(house)).toBe(before + 1);
  });

  it('many volumes by few calls', async () => {
    const house = await open();
    house.start();
    const claims = Array.from({ length: 30 }, (_, index) => `many-${index}`);
    for (const name of claims) await house.claim(name);
    for (const name of claims) await house.bound(name);
    await house.until('all claims', () => house.sim.volumes.list().every(({ id }) => names(house, id).length === 2));
    expect(updates(house)).toBeLessThanOrEqual(12);
  });

  it('after a restart what changed meanwhile', async () => {
    const house = await open();
    const first = house.start('replica-1');
    await house.claim('data');
    await house.bound('data');
    const [disk] = house.sim.volumes.list();
    const id = disk?.id ?? '';
    await house.until('the claim', () => names(house, id).length === 2);
    await house.client.create(pods, pod('web', 'data'));
    await house.until('the pod', () => names(house, id).length === 3);
    first.stop();
    await house.clock.advance(5_000);
    await house.client.delete(pods, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    house.start('replica-2');
    await house.until('no pod', () => names(house, id).length === 2);
  });
});

describe('a disk that exists', () => {
  it('becomes a volume of this cluster when a PersistentVolume names it', async () => {
    const house = await open();
    house.start();
    await house.claim('data');
    await house.bound('data');
    const [made] = house.sim.volumes.list();
    // Somebody took it out of CNS; the disk stayed.
    const id = made?.id ?? '';
    await house.client.delete(persistentVolumeClaims, { namespace: 'default', name: 'data' });
    await house.until('it is gone', () => house.sim.volumes.list().length === 0);
    store(house).putDisk({ ...(made as NonNullable<typeof made>), metadata: undefined, firstClass: true });
    await house.client.create(persistentVolumes, staticVolume('by-hand', id));
    await house.until('it is a volume', () => names(house, id).length === 1);
    expect(names(house, id)).toEqual(['PERSISTENT_VOLUME by-hand']);
  });

  it('nowhere is told on the PersistentVolume', async () => {
    const house = await open();
    house.start();
    await house.client.create(persistentVolumes, staticVolume('wrong', '00000000-0000-4000-8000-000000000000'));
    const event = await house.until('an event', async () =>
      (await house.eventsOf('wrong')).find(({ reason }) => reason === 'VolumeNotRegistered'),
    );
    expect(event.type).toBe('Warning');
  });
});

describe('volume health', () => {
  it('is told on the claim when it changes', async () => {
    const house = await open({ csi: { fullSyncIntervalMinutes: 5 } });
    house.start();
    await house.claim('data');
    await house.bound('data');
    const [disk] = house.sim.volumes.list();
    const setHealth = (health: string) =>
      store(house).put({ ...(house.sim.volumes.get(disk?.id ?? '') as NonNullable<typeof disk>), health });
    const annotation = async () =>
      (await house.getClaim('data'))?.metadata.annotations?.['volumehealth.storage.kubernetes.io/health'];
    setHealth('red');
    await house.until('it is told', async () => {
      await house.clock.advance(minutes(1));
      return (await annotation()) === 'inaccessible';
    });
    const condition = (await house.getClaim('data'))?.status?.conditions?.find(({ type }) => type === 'VolumeHealthy');
    expect(condition).toMatchObject({ status: 'False' });
    expect(await house.eventsOf('data')).toContainEqual(expect.objectContaining({ reason: 'VolumeConditionAbnormal' }));
    setHealth('green');
    await house.until('it is told', async () => {
      await house.clock.advance(minutes(1));
      return (await annotation()) === 'accessible';
    });
  });
});

describe('orphans', () => {
  const withOrphan = async () => {
    const house = await open({ csi: { fullSyncIntervalMinutes: 5 } });
    const replica = house.start();
    await house.claim('data');
    await house.bound('data');
    const [disk] = house.sim.volumes.list();
    if (!disk?.metadata) throw new Error('vCenter has the disk of the claim');
    // What vCenter showed for it went with its PersistentVolume.
    const metadata = { ...disk.metadata, entityMetadata: [] };
    const orphan = { ...disk, id: '11111111-2222-4333-8444-555555555555', name: 'pvc-lost', metadata };
    store(house).put(orphan);
    await house.until('it is reported', async () => {
      await house.clock.advance(minutes(1));
      return (await orphans(house)).counts?.volumes === 1;
    });
    return { house, replica, orphan };
  };
  const ask = async (house: House, id: string): Promise<string> => {
    const key = { namespace: 'vmware-system-vdo', name: 'vsphere-csi-sync' };
    await house.client.patch(configMaps, key, { type: 'merge', body: { data: { delete: id, deleted: null } } });
    return house.until('an answer', async () => (await report(house))['deleted']);
  };

  it('are reported, and deleted only when named and old enough', async () => {
    const { house, replica, orphan } = await withOrphan();
    expect((await orphans(house)).volumes).toEqual([expect.objectContaining({ id: orphan.id, name: 'pvc-lost' })]);
    expect((await replica.metrics.expose()).body).toMatch(/vdo_csi_orphans\{kind="volume"\} 1/);
    expect(await house.eventsOf('vsphere-csi-sync')).toContainEqual(
      expect.objectContaining({ reason: 'OrphansFound' }),
    );
    expect(await ask(house, orphan.id)).toMatch(/kept: it is 0 days old/);
    store(house).put({ ...orphan, createTime: new Date(house.clock.now() - 8 * 86_400_000) });
    expect(await ask(house, orphan.id)).toBe(`${orphan.id} deleted`);
    expect(house.sim.volumes.get(orphan.id)).toBeUndefined();
    expect(house.sim.volumes.list()).toHaveLength(1);
  });

  it('are not what a PersistentVolume of the in-tree provider names by its path', async () => {
    const { house, orphan } = await withOrphan();
    const file = house.sim.volumes.get(orphan.id)?.path.split('/').at(-1) ?? '';
    await house.client.create(persistentVolumes, {
      ...staticVolume('in-tree', 'x'),
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        vsphereVolume: { volumePath: `[elsewhere] kubevols/${file}` },
      } as unknown as PersistentVolume['spec'],
    });
    await house.until('it is not reported any more', async () => {
      await house.clock.advance(minutes(1));
      return (await orphans(house)).counts?.volumes === 0;
    });
    expect(await ask(house, orphan.id)).toMatch(/kept: a PersistentVolume has it/);
  });

  const weekOld = (house: House) => new Date(house.clock.now() - 8 * 86_400_000);

  it('stay while vCenter shows another cluster of the same id that uses them', async () => {
    const { house, orphan } = await withOrphan();
    const [used] = house.sim.volumes.list();
    store(house).put({ ...orphan, metadata: used?.metadata, createTime: weekOld(house) } as typeof orphan);
    expect(await ask(house, orphan.id)).toMatch(
      /kept: will not delete disk .*: vCenter names PersistentVolume pvc-.* for it, .* another may have the same id/,
    );
    expect(house.sim.volumes.get(orphan.id)).toBeDefined();
  });

  it('that are no orphans stay', async () => {
    const { house } = await withOrphan();
    const [used] = house.sim.volumes.list();
    expect(await ask(house, used?.id ?? '')).toMatch(/kept: a PersistentVolume has it/);
    expect(await ask(house, '00000000-0000-4000-8000-000000000000')).toMatch(/kept: no vCenter has it/);
    expect(house.sim.volumes.list()).toHaveLength(2);
  });
});

describe('a cluster that has lost PersistentVolumes', () => {
  it('is not believed: nothing changes in vCenter until somebody says that it is right', async () => {
    const house = await open({ csi: { fullSyncIntervalMinutes: 5 } });
    const first = house.start('replica-1');
    for (const name of ['a', 'b', 'c']) {
      await house.claim(name);
      await house.bound(name);
    }
    await house.until(
      'they are counted',
      async () => JSON.parse((await report(house))['counted'] ?? '{}').volumes === 3,
    );
    first.kill();
    await house.clock.advance(20_000);
    // Restored from an older backup: two are not there any more.
    const letGo = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
    for (const lost of (await house.persistentVolumes()).slice(0, 2)) {
      const name = lost.metadata.name ?? '';
      await house.client.patch(persistentVolumes, { name }, letGo);
      await house.client.delete(persistentVolumes, { name });
      await house.client.patch(persistentVolumes, { name }, letGo).catch(() => {});
    }
    expect(await house.persistentVolumes()).toHaveLength(1);
    const before = updates(house);
    house.start('replica-2');
    const event = await house.until('it is told', async () =>
      (await house.eventsOf('vsphere-csi-sync')).find(({ reason }) => reason === 'FullSyncStopped'),
    );
    expect(event.message).toContain('[VolumesMissing]');
    await house.clock.advance(minutes(2));
    // The heartbeat of a new leader.
    expect(updates(house)).toBe(before + 1);
    expect((await orphans(house)).counts?.volumes ?? 0).toBe(0);
    const key = { namespace: 'vmware-system-vdo', name: 'vsphere-csi-sync' };
    await house.client.patch(configMaps, key, { type: 'json', body: [{ op: 'remove', path: '/data/counted' }] });
    await house.until('it goes on', async () => (await orphans(house)).counts?.volumes === 2);
  });
});

describe('topology', () => {
  it('of custom categories is written on the nodes, and stays when a tag changes', async () => {
    const house = await open({ csi: { topologyCategories: [{ name: 'k8s-zone' }] } });
    house.start();
    const zones = async () =>
      (await house.client.list(nodes)).items.map(
        ({ metadata }) => metadata.labels?.['topology.csi.vmware.com/k8s-zone'],
      );
    await house.until('all have labels', async () => (await zones()).every((zone) => zone !== undefined));
    const before = await zones();
    expect(before).toEqual(['zone-a', 'zone-a', 'zone-a', 'zone-b', 'zone-b']);
    house.sim.control.tag('/demo/host/compute-b/esx-b1.demo.example', 'k8s-zone', 'zone-c');
    const event = await house.until('it is told', async () => {
      await house.clock.advance(minutes(1));
      return (await house.eventsOf('node-4')).find(({ reason }) => reason === 'NodeTopologyChanged');
    });
    expect(event.message).toContain('the tag says zone-c');
    expect(await zones()).toEqual(before);
  });
});
