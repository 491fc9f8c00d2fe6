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
  /** How the pods are selected. */
  readonly selector: Readonly<Record<string, string>>;
}

/** Prevents a drain from evicting all replicas at once. A single replica has none: it could never be drained. */
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
            // A pod that is not ready protects nothing, and must not block a drain.
            unhealthyPodEvictionPolicy: 'AlwaysAllow',
          },
        },
      ];

/** Allows connections only to the given ports (probes, metrics), and from the pods as the rules say. Policies do not apply to pods on the host network. */
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

/** On pods: OpenShift admits them under these constraints, and reports if it cannot. */
export const requiredScc = (scc: SecurityContextConstraints, openShift: boolean): Readonly<Record<string, string>> =>
  openShift ? { 'openshift.io/required-scc': scc } : {};

/** On OpenShift, lets the pods of the account run under the named constraints, only in their own namespace. */
export const useScc = (subject: Subject, scc: SecurityContextConstraints, openShift: boolean): readonly KubeObject[] =>
  openShift ? [bindDriverRole(sccRoles[scc], subject, { namespace: subject.namespace })] : [];
