import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { KubeClient } from '@vdo/kube/client';
import { nodes, type Pod } from '@vdo/kube/types/core';
import type { PathMap } from './pod-files.ts';

/** Gives a pod that mounts /sys of the node the UUID of its simulated node, not of this machine. */
export const placeNodeIdentity = async (kube: KubeClient, pod: Pod, onNode: PathMap): Promise<void> => {
  const file = onNode('/sys/class/dmi/id/product_uuid');
  if (file.startsWith('/sys/')) return;
  const node = await kube.get(nodes, { name: pod.spec.nodeName ?? '' });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${node.status?.nodeInfo?.systemUUID ?? ''}\n`);
};
