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
  /** The cloud controller manager serves with a certificate of its own, as the Go one does. */
  readonly https?: boolean;
}

const podMonitor = ({ name, selector, port, https = false }: Scraped): SpecObject => ({
  apiVersion,
  kind: 'PodMonitor',
  metadata: { name, namespace: names.namespace, labels },
  spec: {
    selector: { matchLabels: selector },
    podMetricsEndpoints: [
      { port, interval: '30s', ...(https ? { scheme: 'https', tlsConfig: { insecureSkipVerify: true } } : {}) },
    ],
  },
});

const scraped: readonly Scraped[] = [
  { name: names.operator, selector: { 'app.kubernetes.io/name': names.operator }, port: 'health' },
  { name: names.cpi, selector: { name: names.cpi }, port: 'https', https: true },
  { name: names.csiController, selector: { app: names.csiController }, port: 'health' },
  { name: names.csiNode, selector: { app: names.csiNode }, port: 'health' },
];

/** Alerts, and where Prometheus finds the metrics. For clusters with the Prometheus operator. */
export const renderMonitoring = (): readonly KubeObject[] => [prometheusRule(), ...scraped.map(podMonitor)];
