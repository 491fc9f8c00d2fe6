import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import type { Container } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Deployment } from '@vdo/kube/types/workloads';
import { managedLabels } from './labels.ts';
import { bootstrapTolerations, podTemplate, preferControlPlane, restricted } from './pod.ts';
import { serviceAccount } from './rbac.ts';

const workloadKinds = ['Deployment', 'DaemonSet'];

/** Every image of the pods of these objects, each once. */
export const imagesOf = (objects: readonly AnyObject[]): readonly string[] => {
  const containers = objects
    .filter(({ kind }) => workloadKinds.includes(kind))
    .flatMap((object) => (object as unknown as Deployment).spec.template.spec.containers);
  return [...new Set(containers.map(({ image }) => image))].sort();
};

/** Pods of the probe. */
export const imageProbeSelector = { app: names.imageProbe } as const;

/**
 * A pod with one container for each image, which only prints its version: if the kubelet has started it, the image can be pulled.
 * It runs before a driver is replaced that cannot run beside its successor. Its account has no permissions, and its token is not mounted.
 */
export const renderImageProbe = (
  images: readonly string[],
  {
    spec,
    namespace,
    openShift,
  }: { readonly spec: VSphereDriversSpec; readonly namespace: string; readonly openShift: boolean },
): readonly AnyObject[] => {
  const name = names.imageProbe;
  const containers = images.map(
    (image, index): Container => ({
      name: `image-${index}`,
      image,
      args: ['--version'],
      resources: { requests: { cpu: '1m', memory: '8Mi' }, limits: { memory: '128Mi' } },
      securityContext: restricted({ openShift }),
    }),
  );
  const [container, ...sidecars] = containers;
  if (!container) return [];
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: managedLabels },
    spec: {
      replicas: 1,
      selector: { matchLabels: imageProbeSelector },
      strategy: { type: 'Recreate' },
      template: podTemplate({
        labels: { ...managedLabels, ...imageProbeSelector },
        annotations: {},
        container,
        sidecars,
        images: spec.images,
        adjust: undefined,
        pod: {
          serviceAccountName: name,
          automountServiceAccountToken: false,
          tolerations: bootstrapTolerations,
          affinity: preferControlPlane,
          terminationGracePeriodSeconds: 1,
        },
      }),
    },
  };
  return [{ ...serviceAccount({ namespace, serviceAccount: name, labels: managedLabels }) }, { ...deployment }];
};
