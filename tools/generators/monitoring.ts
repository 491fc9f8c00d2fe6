import { renderDashboard } from '@vdo/releases/monitoring/dashboard';
import { renderMonitoring } from '@vdo/releases/monitoring/render-monitoring';
import { manifestYaml } from '@vdo/releases/render/shared/manifest-yaml';

const header = '# Generated from packages/releases/src/monitoring. Do not edit: npm run generate.\n';

/** deploy/monitoring: alerts and scraping for the Prometheus operator, and a Grafana dashboard. */
export const renderMonitoringFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ['deploy/monitoring/prometheus.yaml', header + manifestYaml(renderMonitoring())],
    ['deploy/monitoring/grafana-dashboard.json', `${JSON.stringify(renderDashboard(), null, 2)}\n`],
  ]);
