import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeClient } from '@vdo/kube/client';
import type { Pod } from '@vdo/kube/types/core';
import { expect, it } from 'vitest';
import { placePodFiles } from './pod-files.ts';

it('leads a path of the node to the volume that holds it, inside and outside of the container', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pod-files-'));
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'driver', namespace: 'default' },
    spec: {
      containers: [
        {
          name: 'driver',
          image: 'driver',
          volumeMounts: [
            { name: 'plugin', mountPath: '/csi' },
            { name: 'kubelet', mountPath: '/var/lib/kubelet' },
          ],
        },
      ],
      volumes: [
        { name: 'plugin', hostPath: { path: '/var/lib/kubelet/plugins/disks' } },
        { name: 'kubelet', hostPath: { path: '/var/lib/kubelet' } },
      ],
    },
  } as unknown as Pod;
  try {
    const { inContainer, onNode } = await placePodFiles({} as KubeClient, pod, { folder, mounted: new Map() });
    const socket = join(folder, 'plugin/csi.sock');
    expect(inContainer('/csi/csi.sock')).toBe(socket);
    // The same file by its path on the node, which the container sees through the folder of the kubelet.
    expect(inContainer('/var/lib/kubelet/plugins/disks/csi.sock')).toBe(socket);
    expect(onNode('/var/lib/kubelet/plugins/disks/csi.sock')).toBe(socket);
    expect(inContainer('/var/lib/kubelet/pods/1')).toBe(join(folder, 'kubelet/pods/1'));
    expect(inContainer('/etc/hosts')).toBe('/etc/hosts');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
