import {
  type ControllerGetCapabilitiesResponse,
  ControllerServiceCapability_RPC_Type as Rpc,
} from '@vdo/csi-proto/gen/csi-pb';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { afterEach, describe, expect, it } from 'vitest';
import {
  capability,
  createDomainTestbed,
  type DomainTestbed,
  type DomainTestbedOptions,
} from '../testing/domain-testbed.ts';

let testbed: DomainTestbed | undefined;
const open = (options: DomainTestbedOptions): DomainTestbed => {
  testbed = createDomainTestbed(options);
  return testbed;
};
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

const of = (version: string): VSphereModel => ({
  ...demoModel(),
  version,
  policies: [
    { name: 'gold', datastores: ['shared-vmfs'] },
    { name: 'silver', datastores: ['shared-vmfs'] },
  ],
});
const shared = { volumeCapabilities: [capability('MULTI_NODE_MULTI_WRITER')] };
const size = (gib: bigint) => ({ capacityRange: { requiredBytes: gib << 30n, limitBytes: 0n } });
const nobody = { name: 'none', ips: '*', permissions: 'NO_ACCESS', rootSquash: false } as const;

const rpcsOf = (response: unknown): readonly string[] =>
  (response as ControllerGetCapabilitiesResponse).capabilities.map(
    ({ type }) => Object.entries(Rpc).find(([, value]) => type.case === 'rpc' && value === type.value.type)?.[0] ?? '',
  );

describe('a vCenter that is too old for something', () => {
  const refused = (message: string) => ({
    code: 'VCenterVersionUnsupported',
    effect: 'none',
    message: expect.stringContaining(message),
  });

  it('6.7 Update 3 has disks, and what it lacks is refused before anything is asked of it', async () => {
    const { create, call, publish, unpublish, remove, sim, kept } = open({ models: [of('6.7.3')] });
    const { volumeId } = await create('pvc-1', { parameters: { storagepolicyname: 'gold' } });
    await publish(volumeId, 1);
    await unpublish(volumeId, 1);
    sim.recorder.clear();
    await expect(create('pvc-2', shared)).rejects.toMatchObject(
      refused('file volumes need vCenter 7.0 Update 1; vc1.example.com is 6.7 Update 3'),
    );
    await expect(call('createSnapshot', { name: 's', sourceVolumeId: volumeId, parameters: {} })).rejects.toMatchObject(
      refused('snapshots and copies of volumes need vCenter 7.0 Update 3; vc1.example.com is 6.7 Update 3'),
    );
    const source = { type: { case: 'volume', value: { volumeId } } };
    await expect(create('pvc-3', { volumeContentSource: source })).rejects.toMatchObject(
      refused('copies of volumes need'),
    );
    await expect(call('controllerExpandVolume', { volumeId, ...size(2n) })).rejects.toMatchObject(
      refused('volume expansion needs vCenter 7.0; vc1.example.com is 6.7 Update 3'),
    );
    const change = { volumeId, mutableParameters: { storagepolicyname: 'silver' } };
    await expect(call('controllerModifyVolume', change)).rejects.toMatchObject(refused('need vCenter 8.0 Update 1'));
    const changed = sim.recorder.calls().filter(({ method }) => /^Cns(Create|Extend|Reconfig|Snapshot)/.test(method));
    expect(changed).toEqual([]);
    expect([...kept.keys()]).toEqual(['pvc-1']);
    await remove(volumeId);
    expect(sim.volumes.list()).toEqual([]);
  });

  it('7.0 Update 1 grows a volume that no node has, and no other', async () => {
    const { create, call, publish, unpublish } = open({ models: [of('7.0.1')] });
    const { volumeId } = await create('pvc-1');
    await publish(volumeId, 1);
    await expect(call('controllerExpandVolume', { volumeId, ...size(2n) })).rejects.toMatchObject(
      refused('is attached to a node: online volume expansion needs vCenter 7.0 Update 2'),
    );
    await unpublish(volumeId, 1);
    await expect(call('controllerExpandVolume', { volumeId, ...size(2n) })).resolves.toMatchObject({
      capacityBytes: 2n << 30n,
    });
  });

  it('7.0 Update 1 makes no share that no node could be let into', async () => {
    const { create, sim } = open({ models: [of('7.0.1')], csi: { netPermissions: [nobody] } });
    await expect(create('pvc-1', shared)).rejects.toMatchObject(
      refused('with network permissions per node need vCenter 7.0 Update 2'),
    );
    expect(sim.volumes.list()).toEqual([]);
  });

  it.each([
    ['6.7.3', ['CLONE_VOLUME', 'CREATE_DELETE_SNAPSHOT', 'EXPAND_VOLUME', 'LIST_SNAPSHOTS', 'MODIFY_VOLUME']],
    ['7.0.1', ['CLONE_VOLUME', 'CREATE_DELETE_SNAPSHOT', 'LIST_SNAPSHOTS', 'MODIFY_VOLUME']],
    ['7.0.3', ['MODIFY_VOLUME']],
    ['8.0.3', []],
  ])('does not offer what %s lacks: %j', async (version, lacking) => {
    const { call } = open({ models: [of(version)] });
    const all = ['CLONE_VOLUME', 'CREATE_DELETE_SNAPSHOT', 'EXPAND_VOLUME', 'LIST_SNAPSHOTS', 'MODIFY_VOLUME'];
    const offered = rpcsOf(await call('controllerGetCapabilities', {}));
    expect(all.filter((name) => !offered.includes(name))).toEqual(lacking);
    expect(offered).toContain('CREATE_DELETE_VOLUME');
  });

  it('offers everything while nobody can tell what it is', async () => {
    const { call, sim } = open({ models: [of('6.7.3')] });
    sim.control.restart(60_000);
    expect(rpcsOf(await call('controllerGetCapabilities', {}))).toHaveLength(13);
  });

  it('beside a newer one: the volume decides', async () => {
    const zones = {
      1: { zone: 'old' },
      2: { zone: 'old' },
      3: { zone: 'old' },
      4: { zone: 'new' },
      5: { zone: 'new' },
    };
    const models = (['6.7.3', '8.0.3'] as const).map((version, index) => ({
      ...of(version),
      datacenters: of(version).datacenters.map((datacenter) => ({
        ...datacenter,
        vms: datacenter.vms.filter(({ name }) => (index === 0) === /[123]$/.test(name)),
      })),
    }));
    const { create, call } = open({ models, labels: zones });
    expect(rpcsOf(await call('controllerGetCapabilities', {}))).toHaveLength(13);
    const at = (zone: string) => ({
      accessibilityRequirements: { requisite: [{ segments: { zone } }], preferred: [{ segments: { zone } }] },
    });
    const ids = [];
    for (const zone of ['old', 'new']) ids.push((await create(`pvc-${zone}`, at(zone))).volumeId);
    const snapshot = (sourceVolumeId: string | undefined) =>
      call('createSnapshot', { name: 's', sourceVolumeId, parameters: {} });
    await expect(snapshot(ids[0])).rejects.toMatchObject(refused('vc1.example.com is 6.7 Update 3'));
    await expect(snapshot(ids[1])).resolves.toMatchObject({ snapshot: { readyToUse: true } });
    const either = { requisite: ['old', 'new'].map((zone) => ({ segments: { zone } })) };
    const share = await create('share', {
      ...shared,
      accessibilityRequirements: { ...either, preferred: either.requisite },
    });
    expect(share.accessibleTopology).toMatchObject([{ segments: { zone: 'new' } }]);
  });
});
