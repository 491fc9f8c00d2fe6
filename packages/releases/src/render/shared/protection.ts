import type { KubeObject } from '@vdo/kube/types/object';
import { bindDriverRole } from '../roles/driver-role.ts';
import { type SecurityContextConstraints, sccRoles } from '../roles/shared-roles.ts';
import type { Subject } from './rbac.ts';

interface SpecObject extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface ProtectedPods {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** How the pods are found. */
  readonly selector: Readonly<Record<string, string>>;
}

/** Keeps a drain from taking all replicas at once. A single one has none: it could never be drained. */
export const disruptionBudget = (pods: ProtectedPods, replicas: number): readonly SpecObject[] =>
  replicas < 2
    ? []
    : [
        {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: pods.name, namespace: pods.namespace, labels: pods.labels },
          spec: {
            maxUnavailable: 1,
            selector: { matchLabels: pods.selector },
            // A pod that is not ready protects nothing, and must not hold up a drain.
            unhealthyPodEvictionPolicy: 'AlwaysAllow',
          },
        },
      ];

/** Lets nobody in but on the given ports (probes, metrics), and pods out as the rules say. Pods on the host network know no policy. */
export const networkPolicy = (
  pods: ProtectedPods,
  { ports, egress }: { readonly ports: readonly number[]; readonly egress: readonly unknown[] },
): SpecObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: pods.name, namespace: pods.namespace, labels: pods.labels },
  spec: {
    podSelector: { matchLabels: pods.selector },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ ports: ports.map((port) => ({ port, protocol: 'TCP' })) }],
    egress,
  },
});

/** On pods: OpenShift admits them under this one, and says so if it cannot. */
export const requiredScc = (scc: SecurityContextConstraints, openShift: boolean): Readonly<Record<string, string>> =>
  openShift ? { 'openshift.io/required-scc': scc } : {};

/** On OpenShift, lets the pods of the account run under the named constraints, in their own namespace only. */
export const useScc = (subject: Subject, scc: SecurityContextConstraints, openShift: boolean): readonly KubeObject[] =>
  openShift ? [bindDriverRole(sccRoles[scc], subject, { namespace: subject.namespace })] : [];
