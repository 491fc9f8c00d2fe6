import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, httpAddress, noColorOption, wholeNumber } from '../../cli/options.ts';

export interface DashboardFlags extends ClusterFlags {
  readonly port: number;
  readonly prometheus?: string;
  readonly prometheusTokenFile?: string;
  readonly prometheusCaFile?: string;
}

export const dashboardCommand: CommandSpec<DashboardFlags> = {
  path: ['dashboard'],
  summary: 'Serve the dashboard on this machine until Ctrl-C.',
  details:
    'Uses your own permissions in the cluster. The page is read-only and is served on 127.0.0.1 only. The hosts on which the nodes run are shown as of the last run of the health checks. The chart of vCenter calls reads the metrics of the pods, which requires permission to get pods/proxy.',
  options: [
    {
      flags: '--port <port>',
      description: 'port to listen on; 0 selects a free port',
      parse: wholeNumber(0, 65_535),
      default: 0,
    },
    {
      flags: '--prometheus <url>',
      description:
        'Prometheus server that scrapes the operator and the drivers; provides the call rates of the last week',
      parse: httpAddress,
    },
    {
      flags: '--prometheus-token-file <file>',
      description: 'file with the bearer token for Prometheus; read before each query',
    },
    {
      flags: '--prometheus-ca-file <file>',
      description: 'CA certificates (PEM) for Prometheus, if the system does not trust its certificate',
    },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl dashboard --port 8080', purpose: 'then open the printed URL in a browser' },
    {
      command: 'vdoctl dashboard --prometheus http://localhost:9090',
      purpose: 'with call rates from Prometheus, here through kubectl port-forward',
    },
  ],
};
