import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { afterEach, describe, expect, it } from 'vitest';
import {
  capability,
  createDomainTestbed,
  type DomainTestbed,
  type DomainTestbedOptions,
  nodeId,
} from '../testing/domain-testbed.ts';

let testbed: DomainTestbed | undefined;
const open = (options: DomainTestbedOptions = {}): DomainTestbed => {
  testbed = createDomainTestbed(options);
  return testbed;
};
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

const many = capability('MULTI_NODE_MULTI_WRITER');
const readers = capability('MULTI_NODE_READER_ONLY');
const shared = { volumeCapabilities: [many] };
const nobody = { name: 'none', ips: '*', permissions: 'NO_ACCESS', rootSquash: false } as const;

describe('a file share', () => {
  it('is made on vSAN, with the permissions of the configuration', async () => {
    const lan = { name: 'lan', ips: '10.10.0.0/24', permissions: 'READ_WRITE', rootSquash: true } as const;
    const { create, sim } = open({ csi: { netPermissions: [lan] } });
    const volume = await create('pvc-1', shared);
    expect(volume).toMatchObject({ volumeContext: { type: 'vSphere CNS File Volume' }, capacityBytes: 1n << 30n });
    expect(volume.volumeId).toMatch(/^file:[0-9a-f-]{36}$/);
    expect(volume.volumeContext).not.toHaveProperty('vdo.vmware.com/blank');
    const [share] = sim.volumes.list();
    expect(share?.datastore).toEqual(sim.control.find('vsanDatastore', 'Datastore'));
    expect(share?.netPermissions).toMatchObject([{ ips: '10.10.0.0/24', permissions: 'READ_WRITE', allowRoot: false }]);
  });

  it('is made once, however often it is asked for', async () => {
    const { create, sim } = open();
    const [first, second] = [await create('pvc-1', shared), await create('pvc-1', shared)];
    expect(second.volumeId).toBe(first.volumeId);
    expect(sim.volumes.list()).toHaveLength(1);
  });

  it('is not taken for the disk of the same name', async () => {
    const { create } = open();
    await create('pvc-1');
    await expect(create('pvc-1', shared)).rejects.toMatchObject({ code: 'VolumeConflict' });
  });

  it('is mounted by several nodes at its access point, and no disk is attached', async () => {
    const { create, publish, sim } = open();
    const { volumeId } = await create('pvc-1', shared);
    for (const node of [1, 2]) {
      const { publishContext } = await publish(volumeId, node, { volumeCapability: many });
      expect(publishContext).toEqual({
        type: 'vSphere CNS File Volume',
        Nfsv4AccessPoint: expect.stringMatching(/^[^:]+:\/.+/),
      });
    }
    expect(sim.recorder.count('CnsAttachVolume')).toBe(0);
    expect(sim.recorder.count('CnsConfigureVolumeACLs')).toBe(0);
  });

  it('lets in each node while it is published there, if the configuration lets in nobody', async () => {
    const { create, publish, unpublish, sim } = open({ csi: { netPermissions: [nobody] } });
    const { volumeId } = await create('pvc-1', shared);
    await publish(volumeId, 1, { volumeCapability: many });
    await publish(volumeId, 2, { volumeCapability: readers });
    const allowed = () =>
      sim.volumes
        .list()[0]
        ?.netPermissions.filter(({ permissions }) => permissions !== 'NO_ACCESS')
        .map(({ ips, permissions }) => `${ips} ${permissions}`);
    // The address of docker0 inside the guest is the same on all nodes and never let in.
    expect(allowed()).toEqual([
      '10.10.0.11 READ_WRITE',
      'fd00:10:10::11 READ_WRITE',
      '10.10.0.12 READ_ONLY',
      'fd00:10:10::12 READ_ONLY',
    ]);
    await unpublish(volumeId, 1);
    expect(allowed()).toEqual(['10.10.0.12 READ_ONLY', 'fd00:10:10::12 READ_ONLY']);
  });

  it('grows without the node, and is deleted', async () => {
    const { create, call, remove, sim } = open();
    const { volumeId } = await create('pvc-1', shared);
    const capacityRange = { requiredBytes: 3n << 30n, limitBytes: 0n };
    const reply = await call('controllerExpandVolume', { volumeId, capacityRange });
    expect(reply).toEqual({ capacityBytes: 3n << 30n, nodeExpansionRequired: false });
    await remove(volumeId);
    await remove(volumeId);
    expect(sim.volumes.list()).toEqual([]);
  });

  it('has no snapshots and no copies, and says what to do instead', async () => {
    const { create, call } = open();
    const { volumeId } = await create('pvc-1', shared);
    await expect(call('createSnapshot', { name: 's', sourceVolumeId: volumeId })).rejects.toMatchObject({
      code: 'VolumeCapabilityUnsupported',
      remedy: expect.stringContaining('Copy the files'),
    });
    const volumeContentSource = { type: { case: 'volume', value: { volumeId } } };
    await expect(create('pvc-2', { volumeContentSource })).rejects.toMatchObject({
      code: 'VolumeCapabilityUnsupported',
    });
  });

  it('serves one node as well, but is no raw device', async () => {
    const { create, call } = open();
    const { volumeId } = await create('pvc-1', shared);
    const confirmed = await call('validateVolumeCapabilities', { volumeId, volumeCapabilities: [capability()] });
    expect(confirmed).toHaveProperty('confirmed');
    const raw = [capability('SINGLE_NODE_WRITER', { block: true })];
    expect(await call('validateVolumeCapabilities', { volumeId, volumeCapabilities: raw })).toEqual({
      message: `volume ${volumeId} is a file share, which cannot be used as a raw device`,
    });
  });

  it('is listed among the volumes of the cluster', async () => {
    const { create, call } = open();
    await create('disk');
    const { volumeId } = await create('share', shared);
    const { entries = [] } = await call('listVolumes', { maxEntries: 0, startingToken: '' });
    expect(entries).toHaveLength(2);
    expect(entries.find(({ volume }) => volume?.volumeId === volumeId)?.volume?.volumeContext).toEqual({
      type: 'vSphere CNS File Volume',
    });
  });

  it('is refused where no vSAN datastore is reached, with the reason for each', async () => {
    const { create } = open({ csi: { fileVolumeDatastoreUrls: ['ds:///vmfs/volumes/other/'] } });
    await expect(create('pvc-1', shared)).rejects.toMatchObject({
      code: 'VolumeNoDatastore',
      message: expect.stringMatching(
        /vsanDatastore is not among the datastores that csi\.fileVolumes allows.*shared-vmfs is not a vSAN datastore/,
      ),
    });
  });

  describe('with named clusters', () => {
    const vsan = (name: string, host: string) => ({ name, type: 'vsan', hosts: [host, 'host-c'] }) as const;
    const host = (name: string) => ({ name: `cluster-${name}`, hosts: [{ name: `host-${name}` }] });
    const node = { name: 'node-1', uuid: nodeId(1), host: 'host-c' };
    const model: VSphereModel = {
      datacenters: [
        {
          name: 'dc',
          clusters: ['a', 'b'].map(host),
          hosts: [{ name: 'host-c' }],
          datastores: [vsan('vsan-a', 'host-a'), vsan('vsan-b', 'host-b')],
          vms: [node],
        },
      ],
    };
    const account = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
    const named = (...clusters: readonly string[]) =>
      open({ models: [model], nodes: 1, account, csi: { fileVolumeClusters: clusters } });

    it.each(['cluster-b', '/dc/host/cluster-b', 'domain'])('is made in the one that %s names', async (name) => {
      const { value } = named().sim.control.find('cluster-b', 'ClusterComputeResource');
      await testbed?.close();
      const { create, sim } = named(name === 'domain' ? value : name);
      await create('pvc-1', shared);
      expect(sim.volumes.list()[0]?.datastore).toEqual(sim.control.find('vsan-b', 'Datastore'));
    });

    it('is refused with the clusters that there are, if none has that name', async () => {
      const { create, sim } = named('cluster-z');
      await expect(create('pvc-1', shared)).rejects.toMatchObject({
        code: 'VolumeNoDatastore',
        message: expect.stringMatching(
          /vsan-a is not in a cluster that csi\.fileVolumes\.clusters names, but in \/dc\/host\/cluster-a/,
        ),
      });
      expect(sim.recorder.count('CnsCreateVolume')).toBe(0);
    });

    it('is refused where the file service of the named one is disabled, although another one has it', async () => {
      const { create, sim } = named('cluster-a');
      sim.control.setFileService('cluster-a', false);
      await expect(create('pvc-1', shared)).rejects.toMatchObject({
        code: 'VolumeNoDatastore',
        message: expect.stringContaining('vsan-a has no file service'),
      });
      expect(sim.recorder.count('CnsCreateVolume')).toBe(0);
    });

    it('is not made elsewhere while vCenter does not tell the clusters', async () => {
      const { create, sim } = named('cluster-b');
      await create('disk');
      sim.control.addFault({ method: 'VsanClusterGetConfig', effect: { kind: 'http', status: 503 } });
      await create('pvc-1', shared);
      const share = sim.volumes.list().find(({ type }) => type === 'FILE');
      expect(share?.datastore).toEqual(sim.control.find('vsan-b', 'Datastore'));
    });
  });

  it('is refused where the vSAN file service is switched off, before vCenter is asked to make it', async () => {
    const { create, sim, clock, run } = open();
    for (const cluster of ['compute-a', 'compute-b']) sim.control.setFileService(cluster, false);
    await expect(create('pvc-1', shared)).rejects.toMatchObject({
      code: 'VolumeNoDatastore',
      message: expect.stringMatching(/vsanDatastore has no file service: vSAN file services are disabled/),
    });
    expect(sim.recorder.count('CnsCreateVolume')).toBe(0);
    // Disks do not need it, and one cluster that has it is enough.
    await create('disk');
    sim.control.setFileService('compute-b', true);
    await run(clock.advance(61_000));
    await create('pvc-1', shared);
    await create('pvc-2', shared);
    expect(sim.volumes.list().filter(({ type }) => type === 'FILE')).toHaveLength(2);
    // Each cluster is asked once in a while, not for each share.
    expect(sim.recorder.count('VsanClusterGetConfig')).toBe(4);
  });

  it('is tried where vCenter does not tell of the file service', async () => {
    const { create, sim } = open();
    sim.control.addFault({
      method: 'VsanClusterGetConfig',
      effect: { kind: 'fault', fault: { $type: 'NotSupported' } },
    });
    await create('pvc-1', shared);
    expect(sim.volumes.list()).toHaveLength(1);
  });

  it('is refused when file volumes are switched off', async () => {
    const { create } = open({ csi: { fileVolumes: false } });
    await expect(create('pvc-1', shared)).rejects.toMatchObject({ code: 'VolumeCapabilityUnsupported' });
  });
});
