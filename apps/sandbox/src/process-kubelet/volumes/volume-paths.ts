import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { PersistentVolume } from '@vdo/kube/types/core';

/** The paths of a volume in the folder of the node's /var/lib/kubelet. */
export const volumePaths = (kubeletFolder: string, { metadata, spec }: PersistentVolume, podUid: string) => {
  const { name = '' } = metadata;
  const csi = join(kubeletFolder, 'plugins/kubernetes.io/csi');
  if (spec.volumeMode === 'Block') {
    const devices = join(csi, 'volumeDevices');
    return { stagingPath: join(devices, 'staging', name), targetPath: join(devices, 'publish', name, podUid) };
  }
  const { driver = '', volumeHandle = '' } = spec.csi ?? {};
  const hash = createHash('sha256').update(volumeHandle).digest('hex');
  return {
    stagingPath: join(csi, driver, hash, 'globalmount'),
    targetPath: join(kubeletFolder, 'pods', podUid, 'volumes/kubernetes.io~csi', name, 'mount'),
  };
};
