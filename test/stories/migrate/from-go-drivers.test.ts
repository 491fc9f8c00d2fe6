import { isReady } from '@vdo/config/api/health';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { persistentVolumes, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { account } from '@vdo/operator/testing/sim-testbed';
import { releasesOf } from '@vdo/releases/testing/rendered-worlds';
import { createDriversMigration } from '@vdo/vdoctl/commands/migrate/drivers/drivers-migration';
import { afterEach, describe, expect, it } from 'vitest';
import { survivesInterruption } from './interrupted.ts';
import {
  createMigrationTestbed,
  goForward,
  type MigrationTestbed,
  seedVolumes,
  upstreamManifests,
  wantedState,
} from './migration-testbed.ts';

const migration = createDriversMigration({ distribution: 'Upstream', secretName: 'vcenter' });
const noWord = () => {};
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

/** With an account that the simulated vCenter knows. */
const withAccount = (object: AnyObject): AnyObject => {
  const { name } = object.metadata;
  if (name === 'vsphere-cloud-secret') {
    const data = {
      'vc.example.com.username': base64(account.username),
      'vc.example.com.password': base64(account.password),
    };
    return { ...object, data };
  }
  if (name !== 'vsphere-config-secret') return object;
  const conf = `[Global]\ncluster-id = "by-hand"\n\n[VirtualCenter "vc.example.com"]\nuser = "${account.username}"\npassword = "${account.password}"\nport = "443"\ninsecure-flag = "true"\n`;
  return { ...object, data: { 'csi-vsphere.conf': base64(conf) } };
};
const byHand = (version?: string) => upstreamManifests(version).map(withAccount);

const seed = async (testbed: MigrationTestbed, objects: readonly AnyObject[] = byHand()): Promise<void> => {
  await testbed.applyAll(objects);
  await seedVolumes(testbed.kube);
  await testbed.clock.advance(10_000);
};

/** The Helm chart of the cloud controller manager calls its DaemonSet otherwise than the manifests do. */
const asHelmChart = (object: AnyObject): AnyObject => {
  const annotations = { 'meta.helm.sh/release-name': 'cpi', 'meta.helm.sh/release-namespace': 'kube-system' };
  const labels = { 'app.kubernetes.io/managed-by': 'Helm' };
  const isChart = object.kind === 'DaemonSet' && object.metadata.name === 'vsphere-cloud-controller-manager';
  return isChart ? { ...object, metadata: { ...object.metadata, name: 'vsphere-cpi', annotations, labels } } : object;
};
const helmSecret: AnyObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'sh.helm.release.v1.cpi.v1', namespace: 'kube-system', labels: { owner: 'helm', name: 'cpi' } },
  type: 'helm.sh/release.v1',
  data: { release: base64('obviously-fake') },
};
const chartKey = { namespace: 'kube-system', name: 'vsphere-cpi' };

describe('the way from Go drivers that were installed by hand', { timeout: 60_000 }, () => {
  let testbed: MigrationTestbed;
  afterEach(() => testbed?.stop());

  /** The operator runs on 1.28 and later: these are the storage drivers of the matrix for it. */
  const versions = releasesOf('csi', 'Upstream')
    .filter(({ kubernetes }) => Number(kubernetes.max?.split('.')[1] ?? 99) >= 28)
    .map(({ version }) => version);

  it.each(versions)('takes over %s with its settings, its account and its id', async (version) => {
    testbed = await createMigrationTestbed();
    await seed(testbed, byHand(version));
    const turns = await testbed.settle(goForward(testbed, migration));
    expect(turns.filter(({ state }) => state !== 'done').map(({ id }) => id)).toEqual([]);
    const resource = await testbed.kube.get(vsphereDrivers, { name: 'cluster' });
    expect(isReady(resource)).toBe(true);
    expect(resource.spec).toMatchObject({
      vcenters: [{ server: 'vc.example.com', tls: { insecure: true } }],
      csi: { clusterId: 'by-hand' },
    });
    expect((await testbed.kube.list(persistentVolumes)).items).toHaveLength(2);
  });

  it('leads back to where it began, object by object', async () => {
    testbed = await createMigrationTestbed();
    await seed(testbed);
    const before = wantedState(testbed);
    await testbed.settle(goForward(testbed, migration));
    await testbed.settle(testbed.vdoctl(migration).back(noWord));
    expect(wantedState(testbed)).toEqual(before);
  });

  it('stops what the operator would not find, such as the Helm chart, and lets Helm forget it at the end', async () => {
    testbed = await createMigrationTestbed();
    await seed(testbed, [...byHand().map(asHelmChart), helmSecret]);
    const before = wantedState(testbed);
    await testbed.settle(goForward(testbed, migration));
    const stopped = await testbed.kube.get(daemonSets, chartKey);
    expect(stopped.status?.desiredNumberScheduled ?? 0).toBe(0);
    expect(isReady(await testbed.drivers())).toBe(true);
    await testbed.settle(testbed.vdoctl(migration).back(noWord));
    expect(wantedState(testbed)).toEqual(before);
    await testbed.settle(goForward(testbed, migration));
    await testbed.settle(testbed.vdoctl(migration).finish());
    expect(await testbed.kube.find(daemonSets, chartKey)).toBeUndefined();
    expect(
      await testbed.kube.find(secrets, { namespace: 'kube-system', name: 'sh.helm.release.v1.cpi.v1' }),
    ).toBeUndefined();
    expect(isReady(await testbed.drivers())).toBe(true);
  });

  it('goes on and back from native drivers too, which the upstream ones relieve first', async () => {
    const native = createDriversMigration({ distribution: 'Native', secretName: 'vcenter' });
    testbed = await createMigrationTestbed();
    await seed(testbed);
    const before = wantedState(testbed);
    const journey = testbed.vdoctl(native);
    const station = await journey.observe(undefined);
    await journey.begin(station, { distribution: 'Native', secretName: 'vcenter' }, undefined);
    await testbed.settle(journey.forward(noWord));
    const own = { namespace: 'vmware-system-vdo', name: 'vsphere-csi-controller' };
    expect(await testbed.kube.find(deployments, own)).toBeDefined();
    await testbed.settle(testbed.vdoctl(native).back(noWord));
    expect(await testbed.kube.find(deployments, own)).toBeUndefined();
    expect(wantedState(testbed)).toEqual(before);
  });

  it('survives an interruption at each write there and at a sample of those back', {
    timeout: 120_000,
  }, async () => {
    const { there, back } = await survivesInterruption(
      { migration, seed },
      (index, way) => way === 'there' || index % 9 === 2,
    );
    expect(there).toBeGreaterThan(6);
    expect(back).toBeGreaterThan(20);
  });
});
