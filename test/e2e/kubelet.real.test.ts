import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { events, nodes, type Pod, persistentVolumeClaims, persistentVolumes, pods } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { volumeSnapshots } from '@vdo/kube/types/snapshots';
import { csiNodes, volumeAttachments } from '@vdo/kube/types/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../harness/run.ts';
import { claim, claimSpec, named, pod, podSpec } from './kubelet-objects.ts';
import { type KubeletTestbed, startKubeletTestbed } from './kubelet-testbed.ts';
import { nodeIp, nodeName, nodeUuid } from './real-node.ts';

const driver = 'csi.vsphere.vmware.com';
const zone = { 'topology.kubernetes.io/region': 'region-1', 'topology.kubernetes.io/zone': 'zone-a' };
const mib = 1024 * 1024;

let testbed: KubeletTestbed;

const isReady = (found: Pod | undefined): boolean =>
  found?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
const ready = (name: string): Promise<Pod> =>
  testbed.until(`pod ${name} to be ready`, async () => {
    const found = await testbed.kube.find(pods, named(name));
    return found && isReady(found) ? found : undefined;
  });
/** Runs a script in the container of a pod, as kubectl exec does. */
const inside = async (name: string, script: string): Promise<string> =>
  (await testbed.plane.kubectl(['exec', name, '--', 'sh', '-c', script])).trim();
const create = async (name: string, options: Parameters<typeof pod>[1]): Promise<Pod> => {
  await testbed.apply(pod(name, options));
  return ready(name);
};
const remove = async (...names: readonly string[]): Promise<void> => {
  for (const name of names) await testbed.kube.delete(pods, named(name));
  for (const name of names)
    await testbed.until(`pod ${name} to go`, async () => (await testbed.kube.find(pods, named(name))) === undefined);
};
/** The volume of a claim, as vCenter has it. */
const volumeOf = async (claimName: string) => {
  const volumeName = (await testbed.kube.find(persistentVolumeClaims, named(claimName)))?.spec.volumeName ?? '';
  const handle = (await testbed.kube.find(persistentVolumes, { name: volumeName }))?.spec.csi?.volumeHandle ?? '';
  const found = testbed.sim.volumes.get(handle);
  if (!found) throw new Error(`vCenter has no volume ${handle} of claim ${claimName}`);
  return found;
};
const mountsOf = async (text: string): Promise<readonly string[]> =>
  (await readFile(testbed.machine.mountInfoPath, 'utf8')).split('\n').filter((line) => line.includes(text));
const detached = (claimName: string): Promise<unknown> =>
  testbed.until(`the disk of ${claimName} to be detached`, async () => {
    const { items } = await testbed.kube.list(volumeAttachments);
    const { spec } = await testbed.kube.get(persistentVolumeClaims, named(claimName));
    const attached = items.some(({ spec: { source } }) => source.persistentVolumeName === spec.volumeName);
    return !attached && (await volumeOf(claimName)).attachedTo === undefined;
  });
/** Waits for what the cluster says about a pod. */
const reported = (name: string, pattern: RegExp): Promise<unknown> =>
  testbed.until(`an event of pod ${name} that says ${pattern}`, async () =>
    (await testbed.kube.list(events)).items.some(
      ({ involvedObject, message }) => involvedObject.name === name && pattern.test(message ?? ''),
    ),
  );

// Needs root, and containerd, runc and CNI plugins beside the built parts.
describe('on a real kubelet', () => {
  beforeAll(async () => {
    testbed = await startKubeletTestbed();
  });
  afterAll(async () => {
    await testbed?.stop();
  });

  it('a node that waits for its cloud provider gets its id, addresses and place, and is let go', async () => {
    const node = await testbed.until('the node to be ready and without taints', async () => {
      const found = await testbed.kube.find(nodes, { name: nodeName });
      const conditions = found?.status?.conditions ?? [];
      const isUp = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
      return isUp && (found?.spec.taints ?? []).length === 0 ? found : undefined;
    });
    expect(node.spec.providerID).toBe(`vsphere://${nodeUuid}`);
    expect(node.metadata.labels).toMatchObject(zone);
    expect(node.status?.addresses).toContainEqual({ type: 'InternalIP', address: nodeIp });
  });

  it('the driver registers itself: with its node id, its place and how many disks fit', async () => {
    const found = await testbed.until('the driver in the CSINode', async () => {
      const node = await testbed.kube.find(csiNodes, { name: nodeName });
      return node?.spec.drivers?.find(({ name }) => name === driver);
    });
    expect(found).toEqual({
      name: driver,
      nodeID: nodeUuid,
      topologyKeys: Object.keys(zone),
      allocatable: { count: 59 },
    });
  });

  it('a StatefulSet has its volume formatted, mounted and written, in the place of its pod', async () => {
    const labels = { app: 'db' };
    await testbed.apply({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: named('db'),
      spec: {
        serviceName: 'db',
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec({}) },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec({ storageClassName: 'ext4' }) }],
      },
    } as AnyObject);
    await ready('db-0');
    expect(await inside('db-0', 'grep " /data " /proc/mounts')).toMatch(/ ext4 rw,\S*noatime/);
    await inside('db-0', 'echo hello > /data/greeting && sync');
    const { spec } = await testbed.kube.get(persistentVolumeClaims, named('data-db-0'));
    const volume = (await testbed.kube.get(persistentVolumes, { name: spec.volumeName ?? '' })) as unknown as AnyObject;
    const terms = JSON.stringify((volume.spec as { readonly nodeAffinity?: unknown }).nodeAffinity);
    for (const [key, value] of Object.entries(zone)) {
      expect(terms).toContain(key);
      expect(terms).toContain(value);
    }
  });

  it('a second pod of the node shares the volume, read-only if it says so', async () => {
    const persistentVolumeClaim = { claimName: 'data-db-0', readOnly: true };
    await create('reader', { volume: { persistentVolumeClaim } });
    expect(await inside('reader', 'cat /data/greeting')).toBe('hello');
    await expect(inside('reader', 'echo x > /data/greeting')).rejects.toThrow(/Read-only file system/);
    await create('writer', { claimName: 'data-db-0' });
    await inside('writer', 'echo again > /data/greeting');
    expect(await inside('reader', 'cat /data/greeting')).toBe('again');
    await remove('reader', 'writer');
    expect(await inside('db-0', 'cat /data/greeting')).toBe('again');
  });

  it('an xfs volume grows while its pod uses it, and the container sees it', async () => {
    await testbed.apply(claim('growing', { storageClassName: 'xfs', size: '320Mi' }));
    await create('grower', { claimName: 'growing' });
    expect(await inside('grower', 'grep " /data " /proc/mounts')).toContain(' xfs ');
    const sizeMib = async () => Number(await inside('grower', "df -m /data | awk 'END { print $2 }'"));
    const before = await sizeMib();
    await inside('grower', 'echo hello > /data/greeting');
    await testbed.kube.patch(persistentVolumeClaims, named('growing'), {
      type: 'merge',
      body: { spec: { resources: { requests: { storage: '640Mi' } } } },
    });
    await testbed.until('the claim to show the new size', async () => {
      const found = await testbed.kube.find(persistentVolumeClaims, named('growing'));
      return found?.status?.capacity?.storage === '640Mi';
    });
    expect((await volumeOf('growing')).capacityMb).toBe(640n);
    expect(await sizeMib()).toBeGreaterThan(before + 250);
    expect(await inside('grower', 'cat /data/greeting')).toBe('hello');
  });

  it('what a snapshot holds and what a clone copied is read by other pods', async () => {
    await testbed.apply({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      metadata: named('monday'),
      spec: { source: { persistentVolumeClaimName: 'growing' }, volumeSnapshotClassName: 'snap' },
    } as AnyObject);
    await testbed.until('the snapshot to be ready', async () => {
      const found = await testbed.kube.find(volumeSnapshots, named('monday'));
      return found?.status?.readyToUse;
    });
    await inside('grower', 'echo changed > /data/greeting');
    const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'monday' };
    const other = { kind: 'PersistentVolumeClaim', name: 'growing' };
    await testbed.apply(claim('restored', { storageClassName: 'xfs', size: '640Mi', dataSource: snapshot }));
    await testbed.apply(claim('cloned', { storageClassName: 'xfs', size: '640Mi', dataSource: other }));
    await testbed.apply(pod('historian', { claimName: 'restored' }));
    await testbed.apply(pod('twin', { claimName: 'cloned' }));
    await Promise.all(['historian', 'twin'].map(ready));
    expect(await inside('historian', 'cat /data/greeting')).toBe('hello');
    expect(await inside('twin', 'cat /data/greeting')).toBe('changed');
    await inside('twin', 'echo of the twin > /data/greeting');
    expect(await inside('grower', 'cat /data/greeting')).toBe('changed');
    await remove('historian', 'twin');
  });

  it('a raw device is written and read', async () => {
    await testbed.apply(claim('raw', { storageClassName: 'ext4', volumeMode: 'Block' }));
    await create('database', { claimName: 'raw', block: true });
    expect(await inside('database', 'test -b /dev/data && blockdev --getsize64 /dev/data')).toBe(String(64 * mib));
    await inside('database', 'printf hello | dd of=/dev/data bs=512 conv=sync,fsync 2>/dev/null');
    await remove('database');
    await detached('raw');
    await create('database', { claimName: 'raw', block: true });
    expect(await inside('database', 'dd if=/dev/data bs=5 count=1 2>/dev/null')).toBe('hello');
    await remove('database');
  });

  it('a volume for one pod only is refused to a second one, by scheduler and kubelet', async () => {
    await testbed.apply(claim('single', { storageClassName: 'ext4', accessModes: ['ReadWriteOncePod'] }));
    await create('hermit', { claimName: 'single' });
    await testbed.apply(pod('guest', { claimName: 'single' }));
    // Who names the node goes past the scheduler.
    await testbed.apply(pod('intruder', { claimName: 'single', pod: { nodeName } }));
    await reported('guest', /ReadWriteOncePod/);
    await reported('intruder', /ReadWriteOncePod access mode/);
    await remove('intruder', 'hermit');
    await ready('guest');
    await remove('guest');
  });

  it('a folder of the volume is mounted alone, and belongs to the group of the pod', async () => {
    const securityContext = { runAsUser: 1000, runAsGroup: 1000, fsGroup: 2000 };
    await testbed.apply(claim('grouped', { storageClassName: 'ext4' }));
    await create('member', { claimName: 'grouped', mount: { subPath: 'deep/inside' }, pod: { securityContext } });
    await inside('member', 'echo hello > /data/greeting');
    expect(await inside('member', "stat -c '%u %g' /data/greeting")).toBe('1000 2000');
    await create('looker', { claimName: 'grouped', pod: { securityContext } });
    expect(await inside('looker', 'cat /data/deep/inside/greeting')).toBe('hello');
    expect(await inside('looker', "stat -c '%g %a' /data")).toMatch(/^2000 2775$/);
    await remove('member', 'looker');
  });

  it('an ephemeral volume comes and goes with its pod; one without a claim is refused', async () => {
    const volumeClaimTemplate = { spec: claimSpec({ storageClassName: 'ext4' }) };
    await testbed.apply(pod('inline', { volume: { csi: { driver } } }));
    await create('scratch', { volume: { ephemeral: { volumeClaimTemplate } } });
    await inside('scratch', 'echo hello > /data/greeting');
    const { id } = await volumeOf('scratch-data');
    await reported('inline', /Ephemeral/);
    await remove('scratch', 'inline');
    await testbed.until('its volume to go', async () => testbed.sim.volumes.get(id) === undefined);
    expect(await testbed.kube.find(persistentVolumeClaims, named('scratch-data'))).toBeUndefined();
  });

  it('the kubelet tells how full volumes are', async () => {
    await inside('grower', 'dd if=/dev/zero of=/data/big bs=1M count=50 2>/dev/null && sync');
    const metric = async (name: string): Promise<number> => {
      const text = await testbed.plane.kubectl(['get', '--raw', `/api/v1/nodes/${nodeName}/proxy/metrics`]);
      const line = text.split('\n').find((one) => one.startsWith(`${name}{`) && one.includes('"growing"'));
      return Number(line?.split(' ').at(-1) ?? Number.NaN);
    };
    await testbed.until('the used bytes', async () => (await metric('kubelet_volume_stats_used_bytes')) > 50 * mib);
    expect(await metric('kubelet_volume_stats_capacity_bytes')).toBeGreaterThan(500 * mib);
    expect(await metric('kubelet_volume_stats_available_bytes')).toBeGreaterThan(400 * mib);
    expect(await metric('kubelet_volume_stats_inodes')).toBeGreaterThan(1000);
  });

  it('pods keep their volumes while the kubelet is away, and it finds them again', async () => {
    const before = await ready('grower');
    const mounts = await mountsOf('kubernetes.io~csi');
    await testbed.restartKubelet();
    await create('next', { claimName: 'growing' });
    expect(await inside('next', 'cat /data/greeting')).toBe('changed');
    const after = await ready('grower');
    expect(after.status?.containerStatuses).toEqual(before.status?.containerStatuses);
    expect(await mountsOf('kubernetes.io~csi')).toEqual(expect.arrayContaining([...mounts]));
    await inside('grower', 'echo after the restart > /data/greeting');
    await remove('next');
  });

  it('pods keep their volumes while the driver is away; the next one gets its volume when it is back', async () => {
    const before = await ready('grower');
    await testbed.killCsiNode();
    await inside('grower', 'echo without the driver > /data/greeting');
    await testbed.apply(pod('patient', { claimName: 'restored' }));
    await reported('patient', /csi\.sock|not found in the list of registered CSI drivers/);
    await testbed.startCsiNode();
    await ready('patient');
    expect(await inside('patient', 'cat /data/greeting')).toBe('hello');
    expect((await ready('grower')).status?.containerStatuses).toEqual(before.status?.containerStatuses);
    expect(await inside('grower', 'cat /data/greeting')).toBe('without the driver');
  });

  it('a pod that is deleted by force leaves no mount and no attached disk behind', async () => {
    const { spec } = await testbed.kube.get(persistentVolumeClaims, named('restored'));
    expect(await mountsOf(spec.volumeName ?? '')).not.toEqual([]);
    await testbed.plane.kubectl(['delete', 'pod', 'patient', '--force', '--grace-period=0']);
    await detached('restored');
    expect(await mountsOf(spec.volumeName ?? '')).toEqual([]);
  });

  it('everything goes when its pods and claims go', async () => {
    await testbed.plane.kubectl(['delete', 'statefulset', 'db']);
    await remove('grower');
    await testbed.kube.delete(volumeSnapshots, named('monday'));
    await testbed.plane.kubectl(['delete', 'pvc', '--all', '--wait=false']);
    await testbed.until('the disks to go', async () => {
      const { items } = await testbed.kube.list(persistentVolumes);
      return items.length === 0 && testbed.sim.volumes.list().length === 0;
    });
    expect((await testbed.kube.list(volumeAttachments)).items).toEqual([]);
    expect(await mountsOf('csi')).toEqual([]);
    // That a disk is detached before it is deleted is no reason for a warning.
    const warnings = (await testbed.kube.list(events)).items.filter(({ reason }) => reason === 'VolumeFailedDelete');
    expect(warnings).toEqual([]);
  });

  it('leaves nothing on this machine, though a pod still holds a raw device', async () => {
    await testbed.apply(claim('last', { storageClassName: 'ext4', volumeMode: 'Block' }));
    await create('survivor', { claimName: 'last', block: true });
    const containers = join(testbed.folder.path, 'containerd/state/io.containerd.runtime.v2.task/k8s.io');
    const [container = ''] = await readdir(containers);
    const leftovers = async () => {
      const loops = (await run('losetup', ['--list', '--noheadings', '--output', 'NAME,BACK-FILE'])).split('\n');
      const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      const processes = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
      const groups = await readdir('/sys/fs/cgroup', { recursive: true }).catch(() => []);
      return [
        ...[...loops, ...processes].filter((line) => line.includes(testbed.folder.path)),
        ...groups.filter((path) => path.includes(container)),
      ];
    };
    expect((await leftovers()).length).toBeGreaterThan(3);
    await testbed.stop();
    expect(await leftovers()).toEqual([]);
    await expect(access(testbed.folder.path)).rejects.toThrow(/ENOENT/);
  });
});
