import type { HttpTransport } from '@vdo/base/http';
import { annotationKeys } from '@vdo/config/names';
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from '@vdo/kube/types/core';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { afterEach, describe, expect, it } from 'vitest';
import { createDomainTestbed, type DomainTestbed, type DomainTestbedOptions } from '../testing/domain-testbed.ts';

let testbed: DomainTestbed | undefined;
const open = (options: DomainTestbedOptions = {}): DomainTestbed => {
  testbed = createDomainTestbed(options);
  return testbed;
};
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

/** CNS does not find volumes when it is asked for them by their ids. */
const hiding = () => {
  let isHiding = false;
  const wire =
    (transport: HttpTransport): HttpTransport =>
    (request) => {
      const body = String(request.body ?? '');
      if (!isHiding || !/<CnsQuery/.test(body)) return transport(request);
      return transport({
        ...request,
        body: body.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => `0000${id.slice(4)}`),
      });
    };
  return {
    wire,
    hide: () => {
      isHiding = true;
    },
  };
};

type Overrides = { readonly policy?: 'Delete' | 'Retain'; readonly isBound?: true; readonly noted?: string };

const claimed = async ({ kube, namespace }: Pick<DomainTestbed, 'kube' | 'namespace'>) => {
  await namespace('default');
  return kube.create<PersistentVolumeClaim>(persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      volumeName: 'pvc-1',
      resources: { requests: { storage: '1Gi' } },
    },
  });
};

/** The PersistentVolume of a volume, as an outside provisioner has made it and the cluster released it. */
const record = async (
  { kube, run, clock, namespace }: DomainTestbed,
  name: string,
  id: string,
  overrides: Overrides = {},
) => {
  const { policy = 'Delete', isBound, noted } = overrides;
  const claim = isBound ? await claimed({ kube, namespace }) : undefined;
  const volume: PersistentVolume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, ...(noted ? { annotations: { [annotationKeys.vcenterInstance]: noted } } : {}) },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: policy,
      claimRef: { namespace: 'default', name: 'data', uid: claim?.metadata.uid ?? `uid-of-${name}` },
      csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: id },
    },
  };
  await kube.create(persistentVolumes, volume);
  const phase = claim ? 'Bound' : 'Released';
  const hasPhase = async () => (await kube.get(persistentVolumes, { name })).status?.phase === phase;
  for (let passed = 0; passed < 60 && !(await hasPhase()); passed += 1) await run(clock.advance(1_000));
  expect(await hasPhase()).toBe(true);
};

describe('a volume that a caller from outside wants deleted', () => {
  it('is deleted, although CNS shows no such volume, if a PersistentVolume has it', async () => {
    const { wire, hide } = hiding();
    const domain = open({ wire });
    const { volumeId } = await domain.create('pvc-1');
    await record(domain, 'pvc-1', volumeId);
    hide();
    await domain.remove(volumeId);
    expect(domain.sim.volumes.list()).toEqual([]);
  });

  it('stays if nobody has it and CNS does not show it: nothing says that it is ours', async () => {
    const { wire, hide } = hiding();
    const domain = open({ wire });
    const { volumeId } = await domain.create('pvc-1');
    hide();
    await domain.remove(volumeId);
    expect(domain.sim.volumes.list()).toHaveLength(1);
    expect(domain.sim.recorder.count('CnsDeleteVolume')).toBe(0);
  });

  it.each<[string, Overrides, RegExp]>([
    ['its PersistentVolume is to be retained', { policy: 'Retain' }, /policy of PersistentVolume pvc-1 is Retain/],
    ['a claim is bound to its PersistentVolume', { isBound: true }, /is bound to claim default\/data/],
    ['it was on another vCenter', { noted: 'another-vcenter' }, /instance UUID another-vcenter/],
  ])('stays if %s', async (_why, overrides, message) => {
    const domain = open();
    const { volumeId } = await domain.create('pvc-1');
    await record(domain, 'pvc-1', volumeId, overrides);
    await expect(domain.remove(volumeId)).rejects.toThrow(message);
    expect(domain.sim.volumes.list()).toHaveLength(1);
  });

  it('stays if two PersistentVolumes have it', async () => {
    const domain = open();
    const { volumeId } = await domain.create('pvc-1');
    await record(domain, 'pvc-1', volumeId);
    await record(domain, 'other', volumeId);
    await expect(domain.remove(volumeId)).rejects.toMatchObject({
      code: expect.stringMatching(/ActRefused|VolumesInUse/),
    });
    expect(domain.sim.volumes.list()).toHaveLength(1);
  });
});

describe('of several vCenters', () => {
  /** All nodes are on the first. */
  const two = () => {
    const model = demoModel();
    const others = model.datacenters.map((one) => ({
      ...one,
      vms: one.vms.map(({ uuid: _, ...vm }, index) => ({ ...vm, name: `other-${index}` })),
    }));
    return { models: [model, { ...model, datacenters: others }] };
  };
  it('the one that shows a volume deletes it, and is noted', async () => {
    const domain = open(two());
    const { volumeId } = await domain.create('pvc-1');
    await record(domain, 'pvc-1', volumeId);
    await domain.remove(volumeId);
    expect(domain.sims.flatMap(({ volumes }) => volumes.list())).toEqual([]);
    const { metadata } = await domain.kube.get(persistentVolumes, { name: 'pvc-1' });
    expect(metadata.annotations?.[annotationKeys.vcenterInstance]).toMatch(/[0-9a-f-]{36}/);
  });

  it('the noted one deletes a volume that none shows', async () => {
    const { wire, hide } = hiding();
    const domain = open({ ...two(), wire });
    const { volumeId } = await domain.create('pvc-1');
    const index = domain.sims.findIndex(({ volumes }) => volumes.get(volumeId));
    await record(domain, 'pvc-1', volumeId, { noted: domain.sims[index]?.instanceUuid ?? '' });
    hide();
    await domain.remove(volumeId);
    expect(domain.sims[index]?.volumes.list()).toEqual([]);
  });

  it('none deletes a volume that none shows, if none was noted', async () => {
    const { wire, hide } = hiding();
    const domain = open({ ...two(), wire });
    const { volumeId } = await domain.create('pvc-1');
    await record(domain, 'pvc-1', volumeId);
    hide();
    await expect(domain.remove(volumeId)).rejects.toThrow(/it was not recorded which vCenter had it/);
    expect(domain.sims.flatMap(({ volumes }) => volumes.list())).toHaveLength(1);
  });

  it('one that does not answer may have the volume: nothing is deleted', async () => {
    let isDown = false;
    const wire =
      (transport: HttpTransport): HttpTransport =>
      async (request) => {
        if (isDown && /<CnsQuery/.test(String(request.body ?? ''))) throw new Error('connection refused');
        return transport(request);
      };
    const domain = open({ ...two(), wire });
    const { volumeId } = await domain.create('pvc-1');
    await record(domain, 'pvc-1', volumeId);
    isDown = true;
    await expect(domain.remove(volumeId)).rejects.toThrow();
    expect(domain.sims.flatMap(({ volumes }) => volumes.list())).toHaveLength(1);
  });
});
