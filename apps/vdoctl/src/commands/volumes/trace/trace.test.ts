import {
  type Event,
  events,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import { type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { seedNamespaces } from '@vdo/sim-world/seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../../testing/run-vdoctl.ts';
import { type SimCluster, startSimCluster } from '../../../testing/sim-cluster.ts';
import { listMoments } from './story.ts';

const handle = '5f3c9a1e-0000-4000-8000-00000000000a';
let uid = '';
const written = (entries: readonly object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
/** Later than everything is created. */
const beganMs = Date.now() + 10_000;
const at = (seconds: number) => new Date(beganMs + seconds * 1000).toISOString();

/** What the pods write: of this volume, of another, and lines of others. */
const logOf = (pod: string): string | undefined => {
  const common = { level: 'info', msg: 'CSI operation done' };
  if (pod.startsWith('vsphere-csi-node'))
    return written([{ ...common, time: at(9), method: 'NodeStageVolume', volumeId: handle, seconds: 0.5 }]);
  if (pod.endsWith('lost1')) return undefined;
  const other = '99999999-0000-4000-8000-000000000099';
  return `panic: not JSON, mentions ${uid}\n${written([
    { ...common, time: at(2), method: 'CreateVolume', trace: uid, name: `pvc-${uid}`, seconds: 1.44 },
    { ...common, time: at(2), method: 'CreateVolume', trace: other, name: `pvc-${other}`, seconds: 1 },
    {
      ...common,
      time: at(8),
      method: 'ControllerPublishVolume',
      trace: uid,
      volumeId: handle,
      nodeId: 'n-1',
      seconds: 65,
    },
    { level: 'warn', time: at(5), msg: 'task of a volume not recorded', trace: uid, task: 'task-7' },
  ])}`;
};

describe('vdoctl volumes trace', () => {
  let cluster: SimCluster;
  const trace = (...argv: readonly string[]) =>
    runVdoctl(['volumes', 'trace', ...argv, '--kubeconfig', cluster.kubeconfig]);
  const pod = (name: string) =>
    cluster.kube.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'vmware-system-vdo' },
      spec: { containers: [{ name: 'main', image: 'x' }] },
    });

  beforeAll(async () => {
    cluster = await startSimCluster({
      podLogs: ({ metadata }) => {
        const text = logOf(metadata.name ?? '');
        return text === undefined
          ? undefined
          : (async function* () {
              yield Buffer.from(text.slice(0, 50));
              yield Buffer.from(text.slice(50));
            })();
      },
    });
    const { kube } = cluster;
    await seedNamespaces(kube, 'vmware-system-vdo', 'shop', 'other');
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } as const;
    const claim = (name: string, namespace: string) =>
      kube.create(persistentVolumeClaims, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, namespace },
        spec,
      });
    const made = await claim('data-0', 'shop');
    await claim('twice', 'shop');
    await claim('twice', 'other');
    uid = made.metadata.uid ?? '';
    const volume = await kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `pvc-${uid}` },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data-0', uid },
        csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: handle },
      },
    });
    await kube.create(volumeAttachments, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'csi-attach-1' },
      spec: {
        attacher: 'csi.vsphere.vmware.com',
        nodeName: 'node-1',
        source: { persistentVolumeName: volume.metadata.name ?? '' },
      },
    });
    const user = await kube.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'shop-0', namespace: 'shop' },
      spec: {
        containers: [{ name: 'main', image: 'x' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-0' } }],
      },
    });
    const event = (
      name: string,
      involvedObject: Event['involvedObject'],
      rest: Pick<Event, 'reason' | 'message'> & Partial<Event>,
    ) =>
      kube.create<Event>(events, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'shop' },
        involvedObject: { namespace: 'shop', ...involvedObject },
        type: 'Normal',
        ...rest,
      });
    const ofClaim = { kind: 'PersistentVolumeClaim', name: 'data-0', uid };
    const ofPod = { kind: 'Pod', name: 'shop-0', uid: user.metadata.uid ?? '' };
    await event('a', ofClaim, {
      reason: 'ProvisioningFailed',
      type: 'Warning',
      message: 'no room',
      count: 3,
      lastTimestamp: at(1),
    });
    await event('b', ofPod, { reason: 'SuccessfulAttachVolume', message: 'attached', lastTimestamp: at(8.5) });
    await event('c', ofPod, { reason: 'Pulled', message: 'image', lastTimestamp: at(8.6) });
    await event('d', { ...ofClaim, uid: 'another' }, { reason: 'Other', message: 'not ours', lastTimestamp: at(3) });
    for (const name of ['vsphere-csi-controller-7f9c-abcde', 'vsphere-csi-node-x1y2z']) await pod(name);
  });
  afterAll(() => cluster.stop());

  it.each([
    ['the claim', () => 'shop/data-0'],
    ['its name alone', () => 'data-0'],
    ['its kind and name, as kubectl writes it', () => 'pvc/data-0'],
    ['the PersistentVolume', () => `pvc-${uid}`],
    ['the ID of the volume', () => handle],
    ['the UID of the claim', () => uid],
    ['the operation ID from the logs of vCenter', () => `vdo-${uid}`],
  ])('finds it by %s, and tells what happened in the order in which it did', async (_by, wanted) => {
    const { exitCode, out, err } = await trace(wanted());
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const what = [
      'PersistentVolumeClaim data-0 created',
      `PersistentVolume pvc-${uid} created`,
      'VolumeAttachment csi-attach-1 created for node node-1',
      'ProvisioningFailed on PersistentVolumeClaim data-0 (3 times): no room',
      'CreateVolume done in 1.4 s',
      'task of a volume not recorded task=task-7',
      'ControllerPublishVolume done in 65 s nodeId=n-1',
      'SuccessfulAttachVolume on Pod shop-0: attached',
      'NodeStageVolume done in 0.5 s',
    ];
    const shown = out.split('\n').filter((line) => /^\d{4}-/.test(line));
    expect(shown).toHaveLength(what.length);
    for (const [index, text] of what.entries()) expect(shown[index]?.endsWith(text), shown[index]).toBe(true);
    expect(out).toContain(`grep vdo-${uid} /var/log/vmware/vpxd/`);
  });

  it('is a document for scripts', async () => {
    const { out } = await trace('shop/data-0', '-o', 'json');
    const { trace: id, operationId, moments } = JSON.parse(out);
    expect([id, operationId, moments.length]).toEqual([uid, `vdo-${uid}`, 9]);
    expect(moments[3]).toMatchObject({ isProblem: true, time: expect.stringMatching(/Z$/) });
  });

  it('asks for the namespace where a name stands for two claims', async () => {
    const { exitCode, err } = await trace('twice');
    expect(exitCode).toBe(2);
    expect(err).toMatch(/2 claims are called twice: .*(shop\/twice.*other\/twice|other\/twice.*shop\/twice)/s);
    expect((await trace('twice', '-n', 'other')).exitCode).toBe(0);
  });

  it('says what was perhaps meant', async () => {
    const { exitCode, err } = await trace('shop/data-1');
    expect(exitCode).toBe(4);
    expect(err.replaceAll(/\s+/g, ' ')).toContain('Did you mean shop/data-0?');
  });

  it('goes on without a log that cannot be read, and says which', async () => {
    await pod('vsphere-csi-controller-7f9c-lost1');
    const { exitCode, out, err } = await trace('data-0');
    await cluster.kube.delete(pods, { namespace: 'vmware-system-vdo', name: 'vsphere-csi-controller-7f9c-lost1' });
    expect(exitCode).toBe(1);
    expect(err).toContain('The log of vmware-system-vdo/vsphere-csi-controller-7f9c-lost1 cannot be read');
    expect(out).toContain('CreateVolume done');
  });
});

describe('the story', () => {
  it('keeps the order of the work where times are whole seconds', () => {
    const traceId = '5f3c9a1e-0000-4000-8000-000000000001';
    const line = (ms: number, method: string) => ({
      pod: 'c',
      line: JSON.stringify({
        level: 'info',
        time: `2026-06-01T12:00:00.${ms}Z`,
        msg: 'CSI operation done',
        method,
        trace: traceId,
      }),
    });
    const metadata = (name: string) => ({ name, creationTimestamp: '2026-06-01T12:00:00Z' });
    const moments = listMoments({
      traceId,
      claim: { metadata: metadata('data') } as PersistentVolumeClaim,
      volume: { metadata: metadata('pv'), spec: {} } as PersistentVolume,
      attachments: [{ metadata: metadata('va'), spec: { nodeName: 'n' } } as VolumeAttachment],
      events: [],
      lines: [line(900, 'NodeStageVolume'), line(300, 'CreateVolume'), line(700, 'ControllerPublishVolume')],
    });
    expect(moments.map(({ what }) => what.split(' ')[0])).toEqual([
      'PersistentVolumeClaim',
      'CreateVolume',
      'PersistentVolume',
      'VolumeAttachment',
      'ControllerPublishVolume',
      'NodeStageVolume',
    ]);
  });
});
