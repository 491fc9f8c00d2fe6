import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createSimTestbed as createCpiTestbed } from '@vdo/cpi/testing/sim-testbed';
import { runSnapshotControllerApp } from '@vdo/csi/snapshot-controller-app';
import { createSimTestbed as createCsiTestbed } from '@vdo/csi/testing/sim-testbed';
import { buildModel } from '@vdo/dashboard/source/build-model';
import { clusterFacts } from '@vdo/dashboard/testing/cluster-facts';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { type Event, events, namespaces } from '@vdo/kube/types/core';
import { volumeSnapshots } from '@vdo/kube/types/snapshots';
import { snapshotCrds } from '@vdo/releases/render/shared/snapshot-crds';
import { selectEvents } from '@vdo/vdoctl/commands/events/run';
import { afterEach, describe, expect, it } from 'vitest';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** What the cloud controller manager tells of a node that joins. */
const eventsOfCpi = async (): Promise<readonly Event[]> => {
  const testbed = createCpiTestbed();
  endings.push(() => testbed.stop());
  const metadata = { name: 'vmware-system-vdo' };
  await testbed.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await testbed.putSecret(testbed.account);
  await testbed.join(1);
  void testbed.start();
  await testbed.until('the node has an event', async () => (await testbed.eventsOf('node-1')).length > 0);
  return (await testbed.client.list(events)).items;
};

/** What the storage controller and the snapshot controller tell of a claim that is bound and a snapshot of nothing. */
const eventsOfCsi = async (): Promise<readonly Event[]> => {
  const testbed = createCsiTestbed();
  await testbed.setUp();
  const { client, clock } = testbed;
  for (const crd of snapshotCrds) await client.create(customResourceDefinitions, crd);
  const stop = new AbortController();
  const deps = { clock, random: createSeededRandom(9), logger: silentLogger, metrics: createMetrics() };
  const binding = runSnapshotControllerApp(
    { ...deps, kube: client, leaseNamespace: 'vmware-system-csi', identity: 'snapshot-controller-1' },
    stop.signal,
  );
  endings.push(async () => {
    stop.abort();
    await testbed.stop();
    await binding;
  });
  testbed.start();
  await testbed.claim('data');
  await client.create(volumeSnapshots, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { name: 'monday', namespace: 'default' },
    spec: { source: { persistentVolumeClaimName: 'nowhere' } },
  });
  for (const name of ['data', 'monday'])
    await testbed.until(`${name} has an event`, async () => (await testbed.eventsOf(name)).length > 0);
  return (await client.list(events)).items;
};

const shownOnPage = (events: readonly Event[]) =>
  buildModel(clusterFacts({ nodes: 0, volumes: 0 }, { events })).tables.events;

describe.each([
  ['the cloud controller manager', eventsOfCpi, ['cloud-node-controller']],
  ['the storage and the snapshot controller', eventsOfCsi, ['csi.vsphere.vmware.com', 'snapshot-controller']],
])('events of %s', (_program, record, components) => {
  it('are shown by vdoctl and on the page', async () => {
    const recorded = (await record()).filter(({ source }) => components.includes(source?.component ?? ''));
    const from = new Set(recorded.map(({ source }) => source?.component));
    expect([...from].sort()).toEqual(components);

    const byVdoctl = selectEvents(recorded, { sinceMs: 0, warnings: false });
    expect(byVdoctl).toHaveLength(recorded.length);
    expect(shownOnPage(recorded)).toHaveLength(recorded.length);
  });
});
