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
  summary: 'Serve the live status page on this machine until Ctrl-C.',
  details:
    'The page is read with your own rights on the cluster, is read-only, and listens on 127.0.0.1 alone. Where the nodes run is what the operator notes at its checks; the plot of calls to vCenter reads the metrics of its pods, which needs the right to get pods/proxy.',
  options: [
    {
      flags: '--port <port>',
      description: 'port to listen on; 0 takes any free one',
      parse: wholeNumber(0, 65_535),
      default: 0,
    },
    {
      flags: '--prometheus <url>',
      description: 'a Prometheus that scrapes the operator and the drivers: the page reads the rates of a week there',
      parse: httpAddress,
    },
    {
      flags: '--prometheus-token-file <file>',
      description: 'file with the bearer token that Prometheus wants; read again each time',
    },
    {
      flags: '--prometheus-ca-file <file>',
      description: 'file with the CA certificates of Prometheus, if the system does not trust them',
    },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl dashboard --port 8080', purpose: 'then open the address that it prints' },
    {
      command: 'vdoctl dashboard --prometheus http://localhost:9090',
      purpose: 'with the rates of a week, here through kubectl port-forward',
    },
  ],
};
