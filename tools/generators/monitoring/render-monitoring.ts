import { labelKeys, names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import { alerts, runbookOf } from './alerts.ts';

interface SpecObject extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

const apiVersion = 'monitoring.coreos.com/v1';
const labels = { [labelKeys.partOf]: 'vdo' } as const;

const prometheusRule = (): SpecObject => ({
  apiVersion,
  kind: 'PrometheusRule',
  metadata: { name: 'vdo', namespace: names.namespace, labels },
  spec: {
    groups: [
      {
        name: 'vdo',
        rules: alerts.map((alert) => ({
          alert: alert.name,
          expr: alert.expr,
          for: alert.for,
          labels: { severity: alert.severity },
          annotations: { summary: alert.summary, description: alert.description, runbook: runbookOf(alert) },
        })),
      },
    ],
  },
});

interface Scraped {
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly port: string;
}

const metricsLabels = (name: string) => ({ ...labels, 'app.kubernetes.io/component': `${name}-metrics` });

/** Only a ServiceMonitor can name the token of Prometheus itself, and it finds pods by a Service. */
const metricsService = ({ name, selector, port }: Scraped): SpecObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: `${name}-metrics`, namespace: names.namespace, labels: metricsLabels(name) },
  spec: { clusterIP: 'None', selector, ports: [{ name: port, port: 443, targetPort: port, protocol: 'TCP' }] },
});

const serviceMonitor = ({ name, port }: Scraped): SpecObject => ({
  apiVersion,
  kind: 'ServiceMonitor',
  metadata: { name, namespace: names.namespace, labels },
  spec: {
    selector: { matchLabels: metricsLabels(name) },
    endpoints: [
      {
        port,
        interval: '30s',
        scheme: 'https',
        bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
        // Each program makes its own certificate unless the Secret vdo-metrics-tls has one.
        tlsConfig: { insecureSkipVerify: true },
      },
    ],
  },
});

/** Not the node role: on every node it would have to ask the API server who may read. The kubelet measures its calls. */
const scraped: readonly Scraped[] = [
  { name: names.operator, selector: { 'app.kubernetes.io/name': names.operator }, port: 'metrics' },
  { name: names.cpi, selector: { name: names.cpi }, port: 'https' },
  { name: names.csiController, selector: { app: names.csiController }, port: 'metrics' },
  {
    name: names.snapshotController,
    selector: { 'app.kubernetes.io/name': names.snapshotController },
    port: 'metrics',
  },
];

/** Alerts, and where Prometheus finds the metrics. For clusters with the Prometheus operator. */
export const renderMonitoring = (): readonly KubeObject[] => [
  prometheusRule(),
  ...scraped.flatMap((one) => [metricsService(one), serviceMonitor(one)]),
];
