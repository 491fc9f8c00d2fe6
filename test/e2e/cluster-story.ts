import type { KubeClient } from '@vdo/kube/client';
import { events, pods } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';

/** What the cluster says of itself, for the message of a test that fails. */
export const describeCluster = async (kube: KubeClient): Promise<string> => {
  const reported = (await kube.list(events)).items.map(
    ({ involvedObject: { kind, name }, reason, message, count = 1 }) =>
      `${kind} ${name}: ${reason} (${count}): ${message}`,
  );
  const seen = (await kube.list(pods)).items.map(
    ({ metadata: { name }, spec, status }) => `Pod ${name} on ${spec.nodeName}: ${JSON.stringify(status)}`,
  );
  const attached = (await kube.list(volumeAttachments)).items.map(
    ({ metadata: { name }, status }) => `VolumeAttachment ${name}: ${JSON.stringify(status)}`,
  );
  return [...seen, ...attached, ...reported].join('\n');
};
