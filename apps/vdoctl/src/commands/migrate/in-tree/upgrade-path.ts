import { productNumbers } from '@vdo/config/product-version';
import type { Step } from '../engine/step.ts';

/** The oldest Kubernetes version that VDO supports (ADR 16). */
export const oldestMinor = 28;

export const minorOf = (version: string): number => productNumbers(version)?.[1] ?? 0;

/** The last release of the upstream storage driver for each Kubernetes minor version that VDO does not support. */
const storageDrivers: Readonly<Record<number, string>> = { 21: '2.5', 22: '2.6', 23: '2.7', 24: '2.7', 25: '3.0' };

const upgradeStep = (minor: number): Step => ({
  id: `kubernetes-1.${minor}`,
  where: 'cluster',
  forward: {
    what: `upgrade Kubernetes to 1.${minor} and keep the in-tree cloud provider`,
    who: 'you',
    isDone: false,
    commands: [`kubeadm upgrade plan v1.${minor}`, `kubeadm upgrade apply v1.${minor}.PATCH`],
  },
});

/** From 1.26 on, volumes of the in-tree provider need a CSI driver; without one, Kubernetes starts only if there are no such volumes. */
const storageStep = (minor: number): Step => {
  const release = storageDrivers[Math.max(21, Math.min(25, minor))] ?? '3.0';
  return {
    id: 'storage-driver',
    where: 'cluster',
    forward: {
      what: `install the upstream vSphere storage driver ${release} with csi-migration: "true"; from Kubernetes 1.26 on, in-tree volumes need it`,
      who: 'you',
      isDone: false,
      commands: [
        '# manifests: https://github.com/kubernetes-sigs/vsphere-csi-driver/tree/master/manifests/vanilla',
        'kubectl -n vmware-system-csi rollout status deployment vsphere-csi-controller',
      ],
    },
  };
};

/** The steps before a cluster is new enough; empty if it is. Each upgrade is one minor version. Pure. */
export const upgradePath = (
  version: string,
  { hasVolumes, hasDriver }: { readonly hasVolumes: boolean; readonly hasDriver: boolean },
): readonly Step[] => {
  const minor = minorOf(version);
  if (minor === 0 || minor >= oldestMinor) return [];
  const upgrades = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => upgradeStep(from + index));
  const needsDriver = hasVolumes && !hasDriver;
  if (!needsDriver || minor >= 26)
    return [...(needsDriver ? [storageStep(minor)] : []), ...upgrades(minor + 1, oldestMinor)];
  return [...upgrades(minor + 1, 25), storageStep(25), ...upgrades(Math.max(26, minor + 1), oldestMinor)];
};
