import type { CpiSpec } from '@vdo/config/api/cpi-spec';
import { leaseNames, names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Deployment } from '@vdo/kube/types/workloads';
import { servesMetricsApart } from '../layouts.ts';
import { bindMetricsReviews } from '../roles/bind-metrics-reviews.ts';
import { bindDriverRole } from '../roles/driver-role.ts';
import { nativeCpiRoles } from '../roles/native-roles.ts';
import { hostPorts } from '../shared/host-ports.ts';
import { releaseImage } from '../shared/image-reference.ts';
import { configHashAnnotation, driverLabels } from '../shared/labels.ts';
import { certDirArg, metricsTlsMount, metricsTlsVolume } from '../shared/metrics-serving.ts';
import { smallContainer } from '../shared/node-runtime.ts';
import {
  bootstrapTolerations,
  configMount,
  configVolume,
  healthArgs,
  podTemplate,
  preferControlPlane,
  probes,
  restricted,
  spreadByHost,
  spreadByZone,
} from '../shared/pod.ts';
import { disruptionBudget, requiredScc, useScc } from '../shared/protection.ts';
import { serviceAccount } from '../shared/rbac.ts';
import type { RenderContext } from '../shared/render-context.ts';

const securePort = hostPorts.cpi;

/** The program sets its log level in the same way as the Go program. */
const verbosity: Readonly<Record<RenderContext['advanced']['logLevel'], number>> = {
  debug: 4,
  info: 2,
  warn: 0,
  error: 0,
};

/** On the host network: health on the loopback address, only for the kubelet. The first layout has one port for everything. */
const servingOf = ({ release }: RenderContext) => {
  const https = { name: 'https', containerPort: securePort, protocol: 'TCP' };
  if (!servesMetricsApart(release))
    return { args: [], ports: [https], volumes: [], mounts: [], probes: probes(securePort, { scheme: 'HTTPS' }) };
  return {
    args: [certDirArg, ...healthArgs(hostPorts.cpiHealth, true, '--health-bind-address')],
    ports: [https, { name: 'health', containerPort: hostPorts.cpiHealth, protocol: 'TCP' }],
    volumes: [metricsTlsVolume],
    mounts: [metricsTlsMount],
    probes: probes(hostPorts.cpiHealth, { onHost: true }),
  };
};

const deployment = (spec: CpiSpec, context: RenderContext): Deployment => {
  const { release, namespace } = context;
  const serving = servingOf(context);
  const labels = driverLabels(release);
  const selector = { name: names.cpi };
  const nodeLabels = Object.entries(spec.nodeLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: names.cpi, namespace, labels },
    spec: {
      replicas: context.replicas,
      selector: { matchLabels: selector },
      // On the host network a second pod cannot use the port: the old pod must end first.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: podTemplate({
        labels: { ...labels, ...selector, component: names.cloudControllerManager, tier: 'control-plane' },
        annotations: {
          [configHashAnnotation]: context.configHash,
          ...requiredScc('hostnetwork-v2', context.openShift),
        },
        images: context.images,
        adjust: context.advanced.cpi,
        pod: {
          serviceAccountName: names.cpi,
          hostNetwork: true,
          dnsPolicy: 'Default',
          priorityClassName: 'system-cluster-critical',
          tolerations: bootstrapTolerations,
          affinity: { ...preferControlPlane, ...spreadByHost(selector) },
          ...spreadByZone(context.replicas, selector),
          terminationGracePeriodSeconds: 30,
          volumes: [configVolume(context.reads), ...serving.volumes],
        },
        container: {
          name: names.cpi,
          image: releaseImage(release, 'vdo', context.images.registry),
          command: [...smallContainer.command, '/app/cpi.js'],
          env: smallContainer.env,
          args: [
            `--cloud-config=${names.configFolder}/${names.configKey}`,
            '--bind-address=0.0.0.0',
            `--secure-port=${securePort}`,
            ...serving.args,
            '--leader-elect=true',
            `--leader-elect-resource-namespace=${names.systemNamespace}`,
            `--leader-elect-resource-name=${leaseNames.cpi}`,
            `--v=${verbosity[context.advanced.logLevel]}`,
            ...(nodeLabels.length > 0 ? [`--node-labels=${nodeLabels.join(',')}`] : []),
          ],
          ports: serving.ports,
          resources: { requests: { cpu: '20m', memory: '96Mi' }, limits: { memory: '512Mi' } },
          securityContext: restricted({ openShift: context.openShift }),
          volumeMounts: [configMount, ...serving.mounts],
          ...serving.probes,
        },
      }),
    },
  };
};

/** Everything of the native cloud controller manager, in the order in which it is applied. */
export const renderNativeCpi = (spec: CpiSpec, context: RenderContext): readonly KubeObject[] => {
  const { namespace } = context;
  const subject = { namespace, serviceAccount: names.cpi, labels: driverLabels(context.release) };
  const pods = { name: names.cpi, namespace, labels: subject.labels, selector: { name: names.cpi } };
  const { controller, leases, credentials, ownCredentials } = nativeCpiRoles;
  return [
    serviceAccount(subject),
    bindDriverRole(controller, subject),
    ...bindMetricsReviews(context.release, subject),
    bindDriverRole(leases, subject, { namespace: names.systemNamespace }),
    bindDriverRole(context.reads.own ? ownCredentials : credentials, subject, { namespace }),
    ...useScc(subject, 'hostnetwork-v2', context.openShift),
    ...disruptionBudget(pods, context.replicas),
    deployment(spec, context),
  ];
};
