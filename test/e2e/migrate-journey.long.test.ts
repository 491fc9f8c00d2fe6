import { names } from '@vdo/config/names';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { releasesOf, renderWorld } from '@vdo/releases/testing/rendered-worlds';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutMarks } from '../stories/migrate/migration-house.ts';
import { type LifecycleHouse, startLifecycleHouse } from './lifecycle-house.ts';

let house: LifecycleHouse;
const vdoctl = (...argv: readonly string[]) => runVdoctl([...argv, '--kubeconfig', house.kubeconfigPath]);
const controller = { namespace: names.upstreamCsiNamespace, name: names.csiController };
const agents = { namespace: names.upstreamCsiNamespace, name: names.csiNode };

/** The Go drivers as their manifests bring them, a release back, with the settings of this vCenter. */
const manifests = (): readonly AnyObject[] => {
  const cpi = releasesOf('cpi', 'Upstream')[0];
  const csi = releasesOf('csi', 'Upstream').find(({ version }) => version === '3.5.0');
  if (!cpi || !csi) throw new Error('the embedded matrix has no such releases');
  const { username, password } = house.a.secret;
  const spec = { vcenters: [house.a.spec], csi: { clusterId: 'by-hand' }, images: {} } as Parameters<
    typeof renderWorld
  >[1];
  const accounts = [{ server: String(house.a.spec['server']), username, password }];
  return renderWorld('Upstream', spec, { releases: { cpi, csi }, accounts }).map(withoutMarks);
};
const volume: PersistentVolume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv-1' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: names.csiDriver, volumeHandle: 'handle-of-pv-1' },
  },
};

/** What people want of the drivers, and not what controllers note on them. */
const wanted = async () => {
  const workloads = [
    await house.kube.get(deployments, controller),
    await house.kube.get(daemonSets, agents),
    await house.kube.get(daemonSets, { namespace: names.systemNamespace, name: names.cpi }),
  ];
  return workloads.map(({ kind, metadata: { name, labels }, spec }) => ({ kind, name, labels, spec }));
};
const serve = () =>
  house.until('the drivers that were installed by hand', async () => {
    const { status } = await house.kube.get(deployments, controller);
    return (status?.readyReplicas ?? 0) > 0;
  });
const health = async (): Promise<{ readonly code: number; readonly word: string }> => {
  const { exitCode, out } = await vdoctl('status', '-o', 'json');
  return { code: exitCode, word: JSON.parse(out).health };
};

// What stands in for the images of the Go drivers answers their probes and does nothing else.
describe('from Go drivers that were installed by hand, on a real API server', { timeout: 300_000 }, () => {
  let before: Awaited<ReturnType<typeof wanted>>;
  beforeAll(async () => {
    house = await startLifecycleHouse({ operator: 'none' });
    await house.joinNode(house.a, true);
    for (const object of manifests()) await house.apply(object);
    await house.kube.create(persistentVolumes, volume);
    await serve();
    before = await wanted();
  }, 300_000);
  afterAll(async () => {
    await house?.stop();
  });

  it('a dry run changes nothing', async () => {
    const { exitCode, out } = await vdoctl('migrate', 'drivers', '--distribution', 'Upstream', '--dry-run');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining('install the operator') });
    expect(await wanted()).toEqual(before);
    expect((await health()).word).toBe('Absent');
  });

  it('the operator takes them over in place, and the status says so', async () => {
    const { exitCode, out, err } = await vdoctl('migrate', 'drivers', '--distribution', 'Upstream', '--yes');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    expect((await house.condition('Ready'))?.status).toBe('True');
    expect((await health()).code).toBe(0);
    const drivers = (await house.drivers())?.status?.drivers ?? [];
    expect(drivers.filter(({ kind }) => kind !== 'CNI').map(({ distribution }) => distribution)).toEqual([
      'Upstream',
      'Upstream',
    ]);
    expect(await wanted()).not.toEqual(before);
    await serve();
  });

  it('the way back leaves the drivers as they were, and nothing of the operator', async () => {
    const { exitCode, out, err } = await vdoctl('migrate', 'undo', '--yes');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    await serve();
    expect(await wanted()).toEqual(before);
    expect((await health()).word).toBe('Absent');
    expect(await house.kube.find(deployments, { namespace: names.namespace, name: names.operator })).toBeUndefined();
    const { metadata, spec } = await house.kube.get(persistentVolumes, { name: 'pv-1' });
    expect([metadata.deletionTimestamp, spec.csi]).toEqual([undefined, volume.spec.csi]);
  });

  it('goes there again, and from its end there is no way back', async () => {
    const there = await vdoctl('migrate', 'drivers', '--distribution', 'Upstream', '--yes');
    expect(there).toMatchObject({ exitCode: 0 });
    const end = await vdoctl('migrate', 'drivers', '--finish', '--yes');
    expect(end).toMatchObject({ exitCode: 0 });
    const now = await wanted();
    const { exitCode, err } = await vdoctl('migrate', 'undo', '--yes');
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringMatching(/point of\s+no return/) });
    expect(await wanted()).toEqual(now);
    expect((await health()).code).toBe(0);
  });
});
