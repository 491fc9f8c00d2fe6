import { names } from '@vdo/config/names';
import type { Container, Volume } from '@vdo/kube/types/core';
import type { DaemonSet, Deployment } from '@vdo/kube/types/workloads';
import { configHashAnnotation, driverLabels } from './labels.ts';
import { controlPlaneTolerations, podTemplate, preferControlPlane, spreadByHost, spreadByZone } from './pod.ts';
import { requiredScc } from './protection.ts';
import type { RenderContext } from './render-context.ts';

/** The parts of pods in which the two distributions of the storage driver differ. */
export interface CsiPodContent {
  readonly container: Container;
  readonly sidecars: readonly Container[];
  readonly volumes: readonly Volume[];
}

/** A folder of the node. */
export const hostFolder = (name: string, path: string, type: string): Volume => ({ name, hostPath: { path, type } });

/** The Deployment of the controller: one distribution replaces the other in place. */
export const csiControllerWorkload = (context: RenderContext, content: CsiPodContent): Deployment => {
  const { release, namespace, images, advanced, replicas } = context;
  const labels = driverLabels(release);
  const selector = { app: names.csiController };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: names.csiController, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: selector },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: podTemplate({
        labels: { ...labels, ...selector, role: 'vsphere-csi' },
        annotations: { [configHashAnnotation]: context.configHash },
        images,
        adjust: advanced.csiController,
        pod: {
          serviceAccountName: names.csiController,
          dnsPolicy: 'Default',
          priorityClassName: 'system-cluster-critical',
          tolerations: controlPlaneTolerations,
          affinity: { ...preferControlPlane, ...spreadByHost(selector) },
          ...spreadByZone(replicas, selector),
          terminationGracePeriodSeconds: 30,
          volumes: content.volumes,
        },
        container: content.container,
        sidecars: content.sidecars,
      }),
    },
  };
};

/** The DaemonSet of the node role. */
export const csiNodeWorkload = (context: RenderContext, content: CsiPodContent): DaemonSet => {
  const { release, namespace, images, advanced } = context;
  const labels = driverLabels(release);
  const selector = { app: names.csiNode };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: names.csiNode, namespace, labels },
    spec: {
      selector: { matchLabels: selector },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: podTemplate({
        labels: { ...labels, ...selector, role: 'vsphere-csi' },
        annotations: requiredScc('privileged', context.openShift),
        images,
        adjust: advanced.csiNode,
        pod: {
          serviceAccountName: names.csiNode,
          hostNetwork: true,
          dnsPolicy: 'ClusterFirstWithHostNet',
          priorityClassName: 'system-node-critical',
          // Volumes must be detachable from a node in any state.
          tolerations: [{ operator: 'Exists' }],
          terminationGracePeriodSeconds: 30,
          volumes: content.volumes,
        },
        container: content.container,
        sidecars: content.sidecars,
      }),
    },
  };
};
