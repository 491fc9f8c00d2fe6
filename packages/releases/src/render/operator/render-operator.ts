import { imagesSpec } from '@vdo/config/api/updates-spec';
import { labelKeys, names } from '@vdo/config/names';
import type { Namespace } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Deployment } from '@vdo/kube/types/workloads';
import type { ImageRef } from '../../matrix.ts';
import { loadReleaseSettings, publishedRegistry } from '../../release-settings.ts';
import { roleObject } from '../roles/driver-role.ts';
import { driverRoles } from '../roles/driver-roles.ts';
import { imageReference } from '../shared/image-reference.ts';
import { metricsArgs, metricsReader, metricsTlsMount, metricsTlsVolume } from '../shared/metrics-serving.ts';
import { privilegedLevel } from '../shared/namespaces.ts';
import { smallContainer } from '../shared/node-runtime.ts';
import {
  bootstrapTolerations,
  healthArgs,
  podTemplate,
  preferControlPlane,
  probes,
  restricted,
  spreadByHost,
  spreadByZone,
} from '../shared/pod.ts';
import { disruptionBudget } from '../shared/protection.ts';
import { clusterRole, role, serviceAccount } from '../shared/rbac.ts';
import { operatorGrants, toRemove } from './operator-grants.ts';
import { operatorClusterRules, operatorNamespaceRules, operatorPlaceRules } from './operator-rbac.ts';
import { renderDashboardRole } from './render-dashboard-role.ts';

/** Label of the roles with which the operator grants the drivers theirs, and by which an earlier operator removes unknown ones. */
export const grantsRole = `${names.operator}:grants`;

const healthPort = 9810;
const metricsPort = 9820;

export interface RenderOperatorOptions {
  readonly version: string;
  readonly image: ImageRef;
  /** Mirror that replaces the registry host. */
  readonly registry?: string;
  /** Default 1; additional replicas wait for the Lease. */
  readonly replicas?: number;
  /** On OpenShift there is always a pod network, so the operator runs under the most restricted constraints. Default false. */
  readonly openShift?: boolean;
  /** It serves the dashboard to authorized users, and has the permissions for this. Default false. */
  readonly dashboard?: boolean;
}

// A new cluster has no pod network and no DNS until the drivers run.
const onHost = { hostNetwork: true, dnsPolicy: 'Default' } as const;

const namespace = (name: string, labels: Readonly<Record<string, string>>): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});

const selector = { 'app.kubernetes.io/name': names.operator } as const;

/** The image of the operator is also that of the native drivers. */
const ownRegistry = ({ registry }: RenderOperatorOptions): readonly string[] =>
  registry === undefined || publishedRegistry(loadReleaseSettings(), registry) === undefined
    ? []
    : [`--registry=${registry}`];

const deployment = (options: RenderOperatorOptions, labels: Readonly<Record<string, string>>): Deployment => {
  const { openShift = false, replicas = 1 } = options;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: names.operator, namespace: names.namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: selector },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: podTemplate({
        labels: { ...labels, ...selector },
        annotations: openShift ? { 'openshift.io/required-scc': 'restricted-v2' } : {},
        images: imagesSpec.parse({}),
        adjust: undefined,
        pod: {
          serviceAccountName: names.operator,
          ...(openShift ? {} : onHost),
          priorityClassName: 'system-cluster-critical',
          tolerations: bootstrapTolerations,
          affinity: { ...preferControlPlane, ...spreadByHost(selector) },
          ...spreadByZone(replicas, selector),
          terminationGracePeriodSeconds: 30,
          volumes: [metricsTlsVolume],
        },
        container: {
          name: names.operator,
          image: imageReference(options.image, options.registry),
          command: [...smallContainer.command, '/app/operator.js'],
          args: [
            `--namespace=${names.namespace}`,
            ...healthArgs(healthPort, !openShift),
            ...metricsArgs(metricsPort),
            ...(options.dashboard ? ['--dashboard'] : []),
            ...ownRegistry(options),
          ],
          env: smallContainer.env,
          ports: [
            { name: 'health', containerPort: healthPort, protocol: 'TCP' },
            { name: 'metrics', containerPort: metricsPort, protocol: 'TCP' },
          ],
          resources: { requests: { cpu: '20m', memory: '128Mi' }, limits: { memory: '512Mi' } },
          securityContext: restricted({ openShift }),
          volumeMounts: [metricsTlsMount],
          ...probes(healthPort, { onHost: !openShift }),
        },
      }),
    },
  };
};

/** The operator with its namespaces and its permissions. The CRDs are in deploy/crds. */
export const renderOperator = (options: RenderOperatorOptions): readonly KubeObject[] => {
  // Not labelled as managed: the operator does not remove itself.
  const labels = {
    'app.kubernetes.io/name': names.operator,
    [labelKeys.partOf]: 'vdo',
    [labelKeys.version]: options.version,
  };
  const subject = { namespace: names.namespace, serviceAccount: names.operator, labels };
  const grants = operatorGrants();
  const inNamespace = { name: names.operator, namespace: names.namespace, rules: operatorNamespaceRules };
  return [
    namespace(names.namespace, { [labelKeys.partOf]: 'vdo', ...privilegedLevel }),
    namespace(names.upstreamCsiNamespace, { [labelKeys.partOf]: 'vdo' }),
    serviceAccount(subject),
    ...clusterRole(names.operator, subject, operatorClusterRules),
    ...role(inNamespace, subject),
    ...operatorPlaceRules.flatMap((place) => role({ name: names.operator, ...place }, subject)),
    ...driverRoles.filter(({ optional }) => !optional).map(roleObject),
    ...clusterRole(grantsRole, subject, [...grants.cluster, ...toRemove(operatorClusterRules)]),
    ...grants.places.flatMap(({ namespace: place, rules }) => {
      const known = [inNamespace, ...operatorPlaceRules].filter((one) => one.namespace === place);
      const removal = known.flatMap((one) => toRemove(one.rules));
      return role({ name: grantsRole, namespace: place, rules: [...rules, ...removal] }, subject);
    }),
    ...metricsReader(subject),
    ...(options.dashboard ? renderDashboardRole() : []),
    ...disruptionBudget({ name: names.operator, namespace: names.namespace, labels, selector }, options.replicas ?? 1),
    deployment(options, labels),
  ];
};
