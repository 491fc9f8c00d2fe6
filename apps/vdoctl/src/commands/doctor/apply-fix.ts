import { withoutTrailing } from '@vdo/base/cut-text';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { pods, secrets } from '@vdo/kube/types/core';
import type { Fix } from './fixes.ts';

const trimmed = (base64: string): string =>
  Buffer.from(withoutTrailing(Buffer.from(base64, 'base64').toString('utf8'), '\r\n'), 'utf8').toString('base64');

/** Applies one fix. */
export const applyFix = async (kube: KubeClient, fix: Fix, signal: AbortSignal): Promise<void> => {
  if (fix.kind === 'trim-secret') {
    const key = { namespace: fix.namespace, name: fix.name };
    const { data = {}, metadata } = await kube.get(secrets, key, { signal });
    const changed = Object.fromEntries(
      fix.keys.flatMap((name) => {
        const value = data[name];
        return value === undefined ? [] : [[name, trimmed(value)] as const];
      }),
    );
    // The Secret may be changing right now: do not overwrite a new password with the old one.
    const body = { metadata: { resourceVersion: metadata.resourceVersion }, data: changed };
    await kube.patch(secrets, key, { type: 'merge', body }, { signal });
    return;
  }
  if (fix.kind === 'restore-cluster-id') {
    const body = { spec: { csi: { clusterId: fix.clusterId } } };
    await kube.patch(vsphereDrivers, { name: vsphereDriversName }, { type: 'merge', body }, { signal });
    return;
  }
  const { namespace, node } = fix;
  const { items } = await kube.list(pods, { namespace, labelSelector: 'app=vsphere-csi-node', signal });
  for (const { metadata, spec } of items)
    if (spec.nodeName === node) await kube.delete(pods, { namespace, name: metadata.name ?? '' }, { signal });
};
