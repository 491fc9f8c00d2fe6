import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
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
import { createSimTestbed, type SimTestbedOptions } from '../../testing/sim-testbed.ts';
import { type SyncAnswer, triggerFullSyncs, triggerName } from './sync-requests.ts';

type Testbed = ReturnType<typeof createSimTestbed>;
// Hours of virtual time take a while on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const testbeds: Testbed[] = [];
const open = async (options: SimTestbedOptions = {}): Promise<Testbed> => {
  const testbed = createSimTestbed(options);
  testbeds.push(testbed);
  await testbed.setUp();
  return testbed;
};
afterEach(async () => {
  for (const testbed of testbeds.splice(0)) await testbed.stop();
});

/** What happens in vCenter behind the driver's back. */
const store = (testbed: Testbed) => testbed.sim.volumes as VolumeStore;

interface Shown {
  readonly entityType: string;
  readonly entityName: string;
  readonly namespace?: string;
  readonly labels: readonly { readonly key: string; readonly value: string }[];
  readonly referredEntity: readonly { readonly entityName: string }[];
}
const shownOf = (testbed: Testbed, id: string): readonly Shown[] =>
  (testbed.sim.volumes.get(id)?.metadata?.entityMetadata ?? []) as unknown as readonly Shown[];
const names = (testbed: Testbed, id: string) =>
  shownOf(testbed, id).map(({ entityType, entityName, referredEntity }) =>
    [entityType, entityName, ...referredEntity.map((one) => one.entityName)].join(' '),
  );
const updates = (testbed: Testbed) =>
  testbed.sim.recorder.calls().filter(({ method }) => method === 'CnsUpdateVolumeMetadata').length;
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
const report = async (testbed: Testbed) => {
  const found = await testbed.client.find(configMaps, { namespace: 'vmware-system-vdo', name: 'vsphere-csi-sync' });
  return found?.data ?? {};
};
const orphans = async (testbed: Testbed) => JSON.parse((await report(testbed))['orphans'] ?? '{}');
type Disk = ReturnType<Testbed['sim']['volumes']['list']>[number];
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
    const testbed = await open({ csi: { fullSyncIntervalMinutes: 2 } });
    testbed.start();
    await testbed.claim('data');
    const claim = await testbed.bound('data');
    const [disk] = testbed.sim.volumes.list();
    const id = disk?.id ?? '';
    const volume = claim.spec.volumeName ?? '';
    await testbed.until('volume and claim', () => names(testbed, id).length === 2);
    expect(names(testbed, id)).toEqual([`PERSISTENT_VOLUME ${volume}`, `PERSISTENT_VOLUME_CLAIM data ${volume}`]);
    await testbed.client.create(pods, pod('web', 'data'));
    await testbed.until('the pod', () => names(testbed, id).length === 3);
    expect(names(testbed, id)[2]).toBe('POD web data');
    const body = { metadata: { labels: { team: 'blue' } } };
    await testbed.client.patch(persistentVolumeClaims, { namespace: 'default', name: 'data' }, { type: 'merge', body });
    await testbed.until('the label', () =>
      shownOf(testbed, id).some(({ labels }) => labels.some(({ value }) => value === 'blue')),
    );
    await testbed.client.delete(pods, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    await testbed.until('no pod', () => names(testbed, id).length === 2);
    // What has not changed is not sent again.
    const before = updates(testbed);
    await testbed.clock.advance(minutes(5));
    // One heartbeat.
    expect(updates(testbed)).toBe(before + 1);
  });

  it('many volumes by few calls', async () => {
    const testbed = await open();
    testbed.start();
    const claims = Array.from({ length: 30 }, (_, index) => `many-${index}`);
    for (const name of claims) await testbed.claim(name);
    for (const name of claims) await testbed.bound(name);
    await testbed.until('all claims', () =>
      testbed.sim.volumes.list().every(({ id }) => names(testbed, id).length === 2),
    );
    expect(updates(testbed)).toBeLessThanOrEqual(12);
  });

  it('after a restart what changed meanwhile', async () => {
    const testbed = await open();
    const first = testbed.start('replica-1');
    await testbed.claim('data');
    await testbed.bound('data');
    const [disk] = testbed.sim.volumes.list();
    const id = disk?.id ?? '';
    await testbed.until('the claim', () => names(testbed, id).length === 2);
    await testbed.client.create(pods, pod('web', 'data'));
    await testbed.until('the pod', () => names(testbed, id).length === 3);
    first.stop();
    await testbed.clock.advance(5_000);
    await testbed.client.delete(pods, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    testbed.start('replica-2');
    await testbed.until('no pod', () => names(testbed, id).length === 2);
  });
});

describe('a disk that exists', () => {
  it('becomes a volume of this cluster when a PersistentVolume names it', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.claim('data');
    await testbed.bound('data');
    const [made] = testbed.sim.volumes.list();
    // Somebody took it out of CNS; the disk stayed.
    const id = made?.id ?? '';
    await testbed.client.delete(persistentVolumeClaims, { namespace: 'default', name: 'data' });
    await testbed.until('it is gone', () => testbed.sim.volumes.list().length === 0);
    store(testbed).putDisk({ ...(made as NonNullable<typeof made>), metadata: undefined, firstClass: true });
    await testbed.client.create(persistentVolumes, staticVolume('by-hand', id));
    await testbed.until('it is a volume', () => names(testbed, id).length === 1);
    expect(names(testbed, id)).toEqual(['PERSISTENT_VOLUME by-hand']);
  });

  it('as a file share becomes a volume of this cluster, too, and one of another cluster does not', async () => {
    const testbed = await open();
    testbed.start();
    const share = (id: string) => ({
      ...(testbed.sim.volumes.list()[0] as NonNullable<Disk>),
      id,
      type: 'FILE' as const,
    });
    await testbed.claim('data');
    await testbed.bound('data');
    const [own, foreign] = ['file:00000000-0000-4000-8000-000000000001', 'file:00000000-0000-4000-8000-000000000002'];
    const { metadata } = share(own);
    if (!metadata) throw new Error('the volume of the claim has metadata');
    const other = { ...metadata.containerCluster, clusterId: 'another' };
    store(testbed).putDisk({ ...share(own), metadata: undefined });
    store(testbed).put({
      ...share(foreign),
      metadata: { containerCluster: other, containerClusterArray: [other], entityMetadata: [] },
    });
    for (const [name, id] of [
      ['own', own],
      ['foreign', foreign],
    ] as const)
      await testbed.client.create(persistentVolumes, {
        ...staticVolume(name, id),
        spec: { ...staticVolume(name, id).spec, accessModes: ['ReadWriteMany'] },
      });
    await testbed.until('it is a volume', () => names(testbed, own).length === 1);
    expect(testbed.sim.volumes.get(own)).toMatchObject({ type: 'FILE' });
    const event = await testbed.until('an event', async () =>
      (await testbed.eventsOf('foreign')).find(({ reason }) => reason === 'VolumeNotRegistered'),
    );
    expect(event.message).toContain('belongs to cluster another');
    expect(names(testbed, foreign)).toEqual([]);
  });

  it('nowhere is told on the PersistentVolume', async () => {
    const testbed = await open();
    testbed.start();
    await testbed.client.create(persistentVolumes, staticVolume('wrong', '00000000-0000-4000-8000-000000000000'));
    const event = await testbed.until('an event', async () =>
      (await testbed.eventsOf('wrong')).find(({ reason }) => reason === 'VolumeNotRegistered'),
    );
    expect(event.type).toBe('Warning');
  });
});

describe('volume health', () => {
  it('is told on the claim when it changes', async () => {
    const testbed = await open({ csi: { fullSyncIntervalMinutes: 5 } });
    testbed.start();
    await testbed.claim('data');
    await testbed.bound('data');
    const [disk] = testbed.sim.volumes.list();
    const setHealth = (health: string) =>
      store(testbed).put({ ...(testbed.sim.volumes.get(disk?.id ?? '') as NonNullable<typeof disk>), health });
    const annotation = async () =>
      (await testbed.getClaim('data'))?.metadata.annotations?.['volumehealth.storage.kubernetes.io/health'];
    setHealth('red');
    await testbed.until('it is told', async () => {
      await testbed.clock.advance(minutes(1));
      return (await annotation()) === 'inaccessible';
    });
    const condition = (await testbed.getClaim('data'))?.status?.conditions?.find(
      ({ type }) => type === 'VolumeHealthy',
    );
    expect(condition).toMatchObject({ status: 'False' });
    expect(await testbed.eventsOf('data')).toContainEqual(
      expect.objectContaining({ reason: 'VolumeConditionAbnormal' }),
    );
    setHealth('green');
    await testbed.until('it is told', async () => {
      await testbed.clock.advance(minutes(1));
      return (await annotation()) === 'accessible';
    });
  });
});

describe('orphans', () => {
  const withOrphan = async () => {
    const testbed = await open({ csi: { fullSyncIntervalMinutes: 5 } });
    const replica = testbed.start();
    await testbed.claim('data');
    await testbed.bound('data');
    const [disk] = testbed.sim.volumes.list();
    if (!disk?.metadata) throw new Error('vCenter has the disk of the claim');
    // What vCenter showed for it went with its PersistentVolume.
    const metadata = { ...disk.metadata, entityMetadata: [] };
    const orphan = { ...disk, id: '11111111-2222-4333-8444-555555555555', name: 'pvc-lost', metadata };
    store(testbed).put(orphan);
    await testbed.until('it is reported', async () => {
      await testbed.clock.advance(minutes(1));
      return (await orphans(testbed)).counts?.volumes === 1;
    });
    return { testbed, replica, orphan };
  };
  const ask = async (testbed: Testbed, id: string): Promise<string> => {
    const key = { namespace: 'vmware-system-vdo', name: 'vsphere-csi-sync' };
    await testbed.client.patch(configMaps, key, { type: 'merge', body: { data: { delete: id, deleted: null } } });
    return testbed.until('an answer', async () => (await report(testbed))['deleted']);
  };

  it('are reported, and deleted only when named and old enough', async () => {
    const { testbed, replica, orphan } = await withOrphan();
    expect((await orphans(testbed)).volumes).toEqual([expect.objectContaining({ id: orphan.id, name: 'pvc-lost' })]);
    expect((await replica.metrics.expose()).body).toMatch(/vdo_csi_orphans\{kind="volume"\} 1/);
    expect(await testbed.eventsOf('vsphere-csi-sync')).toContainEqual(
      expect.objectContaining({ reason: 'OrphansFound' }),
    );
    expect(await ask(testbed, orphan.id)).toMatch(/kept: it is 0 days old/);
    store(testbed).put({ ...orphan, createTime: new Date(testbed.clock.now() - 8 * 86_400_000) });
    expect(await ask(testbed, orphan.id)).toBe(`${orphan.id} deleted`);
    expect(testbed.sim.volumes.get(orphan.id)).toBeUndefined();
    expect(testbed.sim.volumes.list()).toHaveLength(1);
  });

  it('are not what a PersistentVolume of the in-tree provider names by its path', async () => {
    const { testbed, orphan } = await withOrphan();
    const file = testbed.sim.volumes.get(orphan.id)?.path.split('/').at(-1) ?? '';
    await testbed.client.create(persistentVolumes, {
      ...staticVolume('in-tree', 'x'),
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        vsphereVolume: { volumePath: `[elsewhere] kubevols/${file}` },
      } as unknown as PersistentVolume['spec'],
    });
    await testbed.until('it is not reported any more', async () => {
      await testbed.clock.advance(minutes(1));
      return (await orphans(testbed)).counts?.volumes === 0;
    });
    expect(await ask(testbed, orphan.id)).toMatch(/kept: a PersistentVolume has it/);
  });

  const weekOld = (testbed: Testbed) => new Date(testbed.clock.now() - 8 * 86_400_000);

  it('stay while vCenter shows another cluster of the same id that uses them', async () => {
    const { testbed, orphan } = await withOrphan();
    const [used] = testbed.sim.volumes.list();
    store(testbed).put({ ...orphan, metadata: used?.metadata, createTime: weekOld(testbed) } as typeof orphan);
    expect(await ask(testbed, orphan.id)).toMatch(
      /kept: will not delete disk .*: vCenter lists PersistentVolume pvc-.* for it, .* another cluster may have the same ID/,
    );
    expect(testbed.sim.volumes.get(orphan.id)).toBeDefined();
  });

  it('that are no orphans stay', async () => {
    const { testbed } = await withOrphan();
    const [used] = testbed.sim.volumes.list();
    expect(await ask(testbed, used?.id ?? '')).toMatch(/kept: a PersistentVolume has it/);
    expect(await ask(testbed, '00000000-0000-4000-8000-000000000000')).toMatch(/kept: no vCenter has it/);
    expect(testbed.sim.volumes.list()).toHaveLength(2);
  });
});

describe('a cluster that has lost PersistentVolumes', () => {
  it('is not believed: nothing changes in vCenter until somebody says that it is right', async () => {
    const testbed = await open({ csi: { fullSyncIntervalMinutes: 5 } });
    const first = testbed.start('replica-1');
    for (const name of ['a', 'b', 'c']) {
      await testbed.claim(name);
      await testbed.bound(name);
    }
    await testbed.until(
      'they are counted',
      async () => JSON.parse((await report(testbed))['counted'] ?? '{}').volumes === 3,
    );
    first.kill();
    await testbed.clock.advance(20_000);
    // Restored from an older backup: two are not there any more.
    const letGo = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
    for (const lost of (await testbed.persistentVolumes()).slice(0, 2)) {
      const name = lost.metadata.name ?? '';
      await testbed.client.patch(persistentVolumes, { name }, letGo);
      await testbed.client.delete(persistentVolumes, { name });
      await testbed.client.patch(persistentVolumes, { name }, letGo).catch(() => {});
    }
    expect(await testbed.persistentVolumes()).toHaveLength(1);
    const before = updates(testbed);
    testbed.start('replica-2');
    const event = await testbed.until('it is told', async () =>
      (await testbed.eventsOf('vsphere-csi-sync')).find(({ reason }) => reason === 'FullSyncStopped'),
    );
    expect(event.message).toContain('[VolumesMissing]');
    await testbed.clock.advance(minutes(2));
    // The heartbeat of a new leader.
    expect(updates(testbed)).toBe(before + 1);
    expect((await orphans(testbed)).counts?.volumes ?? 0).toBe(0);
    const key = { namespace: 'vmware-system-vdo', name: 'vsphere-csi-sync' };
    await testbed.client.patch(configMaps, key, { type: 'json', body: [{ op: 'remove', path: '/data/counted' }] });
    await testbed.until('it goes on', async () => (await orphans(testbed)).counts?.volumes === 2);
  });
});

describe('topology', () => {
  it('of custom categories is written on the nodes, and stays when a tag changes', async () => {
    const testbed = await open({ csi: { topologyCategories: [{ name: 'k8s-zone' }] } });
    testbed.start();
    const zones = async () =>
      (await testbed.client.list(nodes)).items.map(
        ({ metadata }) => metadata.labels?.['topology.csi.vmware.com/k8s-zone'],
      );
    await testbed.until('all have labels', async () => (await zones()).every((zone) => zone !== undefined));
    const before = await zones();
    expect(before).toEqual(['zone-a', 'zone-a', 'zone-a', 'zone-b', 'zone-b']);
    testbed.sim.control.tag('/demo/host/compute-b/esx-b1.demo.example', 'k8s-zone', 'zone-c');
    const event = await testbed.until('it is told', async () => {
      await testbed.clock.advance(minutes(1));
      return (await testbed.eventsOf('node-4')).find(({ reason }) => reason === 'NodeTopologyChanged');
    });
    expect(event.message).toContain('the tag is zone-c');
    expect(await zones()).toEqual(before);
  });
});

describe('a full sync on request', () => {
  const key = { namespace: 'vmware-system-vdo', name: 'vsphere-csi-sync' };
  const ask = (testbed: Testbed, sync: string) =>
    testbed.client.patch(configMaps, key, { type: 'merge', body: { data: { sync } } });
  const answered = (testbed: Testbed, request: string) =>
    testbed.until(`request ${request} is answered`, async () => {
      const answer = JSON.parse((await report(testbed))['synced'] ?? '{}') as SyncAnswer;
      return answer.request === request ? answer : undefined;
    });
  const running = async (testbed: Testbed) => {
    testbed.start();
    await testbed.claim('data');
    await testbed.bound('data');
    await testbed.until('the first full sync', async () => (await report(testbed))['counted']);
  };
  const annotations = async (testbed: Testbed) => (await testbed.getClaim('data'))?.metadata.annotations ?? {};

  it('runs at once, is answered, and names the disk behind a claim for backup tools', async () => {
    const testbed = await open({ csi: { fullSyncIntervalMinutes: 600 } });
    await running(testbed);
    const claim = await testbed.bound('data');
    await ask(testbed, 'one');
    expect(await answered(testbed, 'one')).not.toHaveProperty('problem');
    const [disk] = testbed.sim.volumes.list();
    expect((await annotations(testbed))['cns.vmware.com/pv-to-backingdiskobjectid-mapping']).toBe(
      `${claim.spec.volumeName}:${disk?.diskUuid}`,
    );
    // One request, one full sync.
    const before = testbed.sim.recorder.count('CnsQueryVolume');
    await testbed.clock.advance(minutes(5));
    expect(testbed.sim.recorder.count('CnsQueryVolume') - before).toBeLessThanOrEqual(2);
  });

  it('is answered by the next leader if none runs, and says why it failed', async () => {
    const testbed = await open({ csi: { fullSyncIntervalMinutes: 600 } });
    await running(testbed);
    await ask(testbed, 'one');
    await answered(testbed, 'one');
    const clear = testbed.sim.control.addFault({ method: 'CnsQueryVolume', effect: { kind: 'http', status: 503 } });
    await ask(testbed, 'two');
    expect((await answered(testbed, 'two')).problem).toContain('503');
    clear();
  });

  const define = (testbed: Testbed) =>
    testbed.client.create(customResourceDefinitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'triggercsifullsyncs.cns.vmware.com' },
      spec: {
        group: 'cns.vmware.com',
        names: {
          plural: 'triggercsifullsyncs',
          singular: 'triggercsifullsync',
          kind: 'TriggerCsiFullSync',
          listKind: 'TriggerCsiFullSyncList',
        },
        scope: 'Cluster',
        versions: [
          {
            name: 'v1alpha1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    } as unknown as CustomResourceDefinition);
  const trigger = (triggerSyncID: number) => ({
    apiVersion: 'cns.vmware.com/v1alpha1',
    kind: 'TriggerCsiFullSync',
    metadata: { name: triggerName },
    spec: { triggerSyncID },
  });

  it('is taken by the kind of the Go driver, if the number is the next one', async () => {
    const testbed = await open({ csi: { fullSyncIntervalMinutes: 600 } });
    await define(testbed);
    await running(testbed);
    await testbed.client.create(triggerFullSyncs, trigger(1));
    const status = () =>
      testbed.client
        .find(triggerFullSyncs, { name: triggerName })
        .then((found) => (found?.status ?? {}) as Readonly<Record<string, unknown>>);
    await testbed.until('it has ended', async () => (await status())['lastSuccessfulEndTimeStamp'] !== undefined);
    expect(await status()).toMatchObject({ inProgress: false, lastTriggerSyncID: 1, error: '' });
    await testbed.client.patch(
      triggerFullSyncs,
      { name: triggerName },
      { type: 'merge', body: { spec: { triggerSyncID: 5 } } },
    );
    const event = await testbed.until('it is refused', async () =>
      (await testbed.eventsOf(triggerName)).find(({ reason }) => reason === 'FullSyncNotTriggered'),
    );
    expect(event.message).toContain('set it to 2');
    expect(await status()).toMatchObject({ lastTriggerSyncID: 1 });
  });
});
