import type { CpiSpec } from '@vdo/config/api/cpi-spec';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { labelKeys, names, upstreamNames } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import type { DaemonSet } from '@vdo/kube/types/workloads';
import type { Release } from '../../matrix.ts';
import { compareReleases } from '../../versions.ts';
import { bindDriverRole } from '../roles/driver-role.ts';
import { upstreamCpiRoles } from '../roles/upstream-roles.ts';
import { credentialsSecret, type ServerAccount } from '../shared/credentials-secret.ts';
import { driverConfigMap } from '../shared/driver-config-map.ts';
import { hostPorts } from '../shared/host-ports.ts';
import { releaseImage } from '../shared/image-reference.ts';
import { configHashAnnotation, driverLabels } from '../shared/labels.ts';
import { bootstrapTolerations, podTemplate } from '../shared/pod.ts';
import { requiredScc, useScc } from '../shared/protection.ts';
import { bindRole, serviceAccount } from '../shared/rbac.ts';
import type { RenderContext } from '../shared/render-context.ts';
import { upstreamObjects } from './objects.ts';

const securePort = hostPorts.cpi;

const verbosity: Readonly<Record<RenderContext['advanced']['logLevel'], number>> = {
  debug: 4,
  info: 2,
  warn: 1,
  error: 0,
};

export interface UpstreamCpiInput {
  readonly spec: VSphereDriversSpec;
  readonly cpi: CpiSpec;
  readonly accounts: readonly ServerAccount[];
  readonly context: Omit<RenderContext, 'configHash' | 'namespace'>;
}

/** Before 1.32, the program listed the Secrets of all namespaces to find its own, and does not start without this permission. */
const listsAllSecrets = ({ version }: Release): boolean => compareReleases(version, '1.32.0-0') < 0;

const controlPlaneOnly = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [labelKeys.controlPlane, 'node-role.kubernetes.io/master'].map((key) => ({
        matchExpressions: [{ key, operator: 'Exists' }],
      })),
    },
  },
} as const;

const daemonSet = (context: RenderContext): DaemonSet => {
  const { release, namespace, images, advanced, openShift } = context;
  const labels = driverLabels(release);
  const selector = { name: names.cpi };
  const probe = { httpGet: { path: '/healthz', port: securePort, scheme: 'HTTPS' } };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name: names.cpi,
      namespace,
      labels: { ...labels, component: names.cloudControllerManager, tier: 'control-plane' },
    },
    spec: {
      selector: { matchLabels: selector },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: podTemplate({
        labels: { ...labels, ...selector, component: names.cloudControllerManager, tier: 'control-plane' },
        annotations: { [configHashAnnotation]: context.configHash, ...requiredScc('hostnetwork-v2', openShift) },
        images,
        adjust: advanced.cpi,
        pod: {
          serviceAccountName: upstreamObjects.cpiAccount,
          hostNetwork: true,
          dnsPolicy: 'Default',
          priorityClassName: 'system-node-critical',
          tolerations: bootstrapTolerations,
          // If the control plane runs elsewhere, labels select the nodes that replace it.
          ...(advanced.cpi?.nodeSelector ? {} : { affinity: controlPlaneOnly }),
          terminationGracePeriodSeconds: 30,
          volumes: [{ name: 'vsphere-config-volume', configMap: { name: upstreamObjects.cpiConfig } }],
        },
        container: {
          name: names.cpi,
          image: releaseImage(release, names.cloudControllerManager, images.registry),
          args: [
            '--cloud-provider=vsphere',
            `--v=${verbosity[advanced.logLevel]}`,
            `--cloud-config=${names.configFolder}/${names.configKey}`,
          ],
          ports: [{ name: 'https', containerPort: securePort, protocol: 'TCP' }],
          resources: { requests: { cpu: '200m', memory: '64Mi' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            runAsNonRoot: true,
            ...(openShift ? {} : { runAsUser: 1001 }),
            seccompProfile: { type: 'RuntimeDefault' },
          },
          volumeMounts: [{ name: 'vsphere-config-volume', mountPath: names.configFolder, readOnly: true }],
          livenessProbe: {
            ...probe,
            initialDelaySeconds: 20,
            periodSeconds: 20,
            timeoutSeconds: 5,
            failureThreshold: 6,
          },
          readinessProbe: { ...probe, periodSeconds: 10, timeoutSeconds: 5 },
        },
      }),
    },
  };
};

/** All objects of the upstream cloud controller manager, with the names of its own manifests, in the order in which they are applied. */
export const renderUpstreamCpi = ({ spec, accounts, context: rest }: UpstreamCpiInput): readonly KubeObject[] => {
  const { release, openShift } = rest;
  const namespace = names.systemNamespace;
  const labels = driverLabels(release);
  const { csi: _storage, ...own } = spec;
  const config = driverConfigMap(own, {
    namespace,
    name: upstreamObjects.cpiConfig,
    secret: upstreamNames.cpiSecret,
    labels,
  });
  const subject = { namespace, serviceAccount: upstreamObjects.cpiAccount, labels };
  const { controller, leases, secrets, allSecrets } = upstreamCpiRoles;
  const reader = { name: upstreamObjects.cpiReaderBinding, namespace };
  return [
    config.object,
    credentialsSecret(accounts, { namespace, name: upstreamNames.cpiSecret, labels }),
    serviceAccount(subject),
    bindDriverRole(controller, subject),
    bindDriverRole(leases, subject, { namespace }),
    listsAllSecrets(release) ? bindDriverRole(allSecrets, subject) : bindDriverRole(secrets, subject, { namespace }),
    bindRole(reader, { kind: 'Role', name: 'extension-apiserver-authentication-reader' }, subject),
    ...useScc(subject, 'hostnetwork-v2', openShift),
    daemonSet({ ...rest, namespace, configHash: config.hashes.cpi }),
  ];
};
