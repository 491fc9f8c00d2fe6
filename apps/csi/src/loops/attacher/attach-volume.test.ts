import { createActLog } from '@vdo/acts/act-log';
import type { Attempt } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { withoutClusterId } from '@vdo/acts/sole-use';
import { createSystemClock } from '@vdo/base/clock';
import { createSeededRandom } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { describe, expect, it } from 'vitest';
import { type AttachVolumeDeps, createVolumeAttacher } from './attach-volume.ts';
import { attacherFinalizer } from './decide-attachment.ts';

const leaving = (resourceVersion: string): VolumeAttachment => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name: 'a', resourceVersion, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [attacherFinalizer] },
  spec: { attacher: 'csi.vsphere.vmware.com', nodeName: 'node-1', source: { persistentVolumeName: 'pv' } },
  status: { attached: true },
});

/** A server that removes the attachment with its last finalizer, and an informer that has not heard of it yet. */
const createTestbed = (versionOfGone: string) => {
  let known: VolumeAttachment | undefined = leaving('5');
  let stored: VolumeAttachment | undefined = known;
  let detachments = 0;
  const patch = async (_resource: unknown, _key: unknown, { body }: { body: Partial<VolumeAttachment> }) => {
    if (!stored) throw new VdoError({ code: 'KubeNotFound', message: 'it is gone', remedy: 'none' });
    const written = stored;
    if (body.metadata?.finalizers?.length === 0) stored = undefined;
    return { ...written, metadata: { ...written.metadata, resourceVersion: stored ? '6' : versionOfGone } };
  };
  const clock = createSystemClock();
  const fence = { assertHeld: () => {} };
  const attempts = {
    client: { patch } as unknown as KubeClient,
    clock,
    random: createSeededRandom(1),
    fence,
    log: createActLog(),
    soleUse: withoutClusterId,
  };
  const deps = {
    kube: { patch, find: async () => stored },
    fence,
    evidence: { begin: (act: string, subject: string) => beginAttempt(attempts, { act, subject }) },
    detachEvidence: {
      permit: async (attempt: Attempt, { metadata }: VolumeAttachment) => {
        const { name = '', uid = '', resourceVersion = '' } = metadata;
        const known = { key: { name }, uid, resourceVersion };
        const attachment = await attempt.readByWriting(volumeAttachments, known, {});
        return attachment.kind === 'absent' ? undefined : { attempt, attachment };
      },
      attachmentsOf: async () => ({ attachments: [], csiNodes: [], isHeld: false }),
    },
    informers: {
      attachments: { get: () => known, byIndex: () => [] },
      volumes: { get: () => ({ metadata: {}, spec: { csi: { volumeHandle: 'disk' } } }) },
      csiNodes: { get: () => undefined },
    },
    volumes: {
      controllerUnpublishVolume: async () => {
        detachments += 1;
        return {};
      },
    },
    clock,
    term: { inheritsSettled: false },
  } as unknown as AttachVolumeDeps;
  const { reconcile } = createVolumeAttacher(deps);
  return {
    observe: () => reconcile('a', { signal: new AbortController().signal } as Parameters<typeof reconcile>[1]),
    detachments: () => detachments,
    informerSees: (attachment: VolumeAttachment | undefined) => {
      known = attachment;
      stored = attachment;
    },
  };
};

describe('an attachment that is gone, as its last look at the server is older', () => {
  it('is not detached once more', async () => {
    const testbed = createTestbed('7');
    await testbed.observe();
    await testbed.observe();
    expect(testbed.detachments()).toBe(1);
  });

  it('is no error, where the server does not tell how new the removal is', async () => {
    const testbed = createTestbed('5');
    await testbed.observe();
    await expect(testbed.observe()).resolves.toBeUndefined();
  });

  it('may come again under its name', async () => {
    const testbed = createTestbed('7');
    await testbed.observe();
    testbed.informerSees(undefined);
    await testbed.observe();
    testbed.informerSees(leaving('3'));
    await testbed.observe();
    expect(testbed.detachments()).toBe(2);
  });
});
