import { manifestYaml } from '@vdo/releases/render/shared/manifest-yaml';
import { renderDashboard } from './monitoring/dashboard.ts';
import { renderMonitoring } from './monitoring/render-monitoring.ts';

const header = '# Generated from tools/generators/monitoring. Do not edit: npm run generate.\n';

/** deploy/monitoring: alerts and scraping for the Prometheus operator, and a Grafana dashboard. */
export const renderMonitoringFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ['deploy/monitoring/prometheus.yaml', header + manifestYaml(renderMonitoring())],
    ['deploy/monitoring/grafana-dashboard.json', `${JSON.stringify(renderDashboard(), null, 2)}\n`],
  ]);
