/** Flags of the Go cloud controller manager that may stay on the command line: they change nothing here. */
const flagsWithoutEffect: Readonly<Record<string, string>> = {
  'allocate-node-cidrs': 'pod CIDRs are not a matter of this program',
  'allow-untagged-cloud': 'vSphere knows no cluster tags on VMs',
  'authentication-kubeconfig': 'health and metrics are served without authentication',
  'authentication-skip-lookup': 'health and metrics are served without authentication',
  'authorization-always-allow-paths': 'health and metrics are served without authorization',
  'authorization-kubeconfig': 'health and metrics are served without authorization',
  'cluster-cidr': 'pod CIDRs are not a matter of this program',
  'cluster-name': 'only load balancers used it',
  'concurrent-service-syncs': 'load balancers are not provided',
  'configure-cloud-routes': 'routes are not provided',
  'contention-profiling': 'it concerns the Go runtime',
  'controller-start-interval': 'controllers start together',
  'feature-gates': 'there are no feature gates: dual stack is always on',
  'kube-api-content-type': 'JSON is always spoken',
  'log-flush-frequency': 'log lines are written at once',
  'logging-format': 'logs are always JSON lines',
  'min-resync-period': 'changes are watched, nothing is resynchronised',
  'node-monitor-period': 'changes are watched, nothing is polled',
  'node-status-update-frequency': 'changes are watched, nothing is polled',
  'node-sync-period': 'changes are watched, nothing is polled',
  profiling: 'it concerns the Go runtime',
  'route-reconciliation-period': 'routes are not provided',
  'use-service-account-credentials': 'one account serves all controllers',
};

// The in-tree loops run under the Lease of kube-controller-manager, ours under that of the cloud controller manager.
const leaderMigration =
  'This program takes no part in leader migration. Set --cloud-provider=external on every kube-controller-manager, and remove --enable-leader-migration from it, before this program starts: then the in-tree loops have ended, and nothing is handed over.';

/** Flags whose loss would change what the program does, and what to do instead. */
const refusedFlags: Readonly<Record<string, string>> = {
  'enable-leader-migration': leaderMigration,
  'is-legacy-paravirtual': 'Supervisor (paravirtual) clusters are served by the Go program only.',
  'leader-migration-config': leaderMigration,
  master: 'Put the address of the API server into the kubeconfig and give --kubeconfig.',
  webhooks: 'This program has no webhooks.',
};

export interface SiftedArgs {
  readonly args: readonly string[];
  /** One line for each flag that is ignored. */
  readonly ignored: readonly string[];
  readonly refused: readonly string[];
}

const nameOf = (arg: string): string | undefined => /^--([a-z][a-z0-9-]*)(=|$)/.exec(arg.replaceAll('_', '-'))?.[1];

/** Takes out the Go program's flags that this one does not have, and tells them apart. */
export const siftGoFlags = (given: readonly string[]): SiftedArgs => {
  const args: string[] = [];
  const ignored: string[] = [];
  const refused: string[] = [];
  for (let i = 0; i < given.length; i++) {
    const arg = given[i] ?? '';
    const name = nameOf(arg);
    const harmless = name === undefined ? undefined : flagsWithoutEffect[name];
    const reason = name === undefined ? undefined : refusedFlags[name];
    if (harmless === undefined && reason === undefined) {
      args.push(arg);
      continue;
    }
    if (harmless !== undefined) ignored.push(`--${name} has no effect: ${harmless}`);
    if (reason !== undefined) refused.push(`--${name} is not supported. ${reason}`);
    const next = given[i + 1];
    if (!arg.includes('=') && next !== undefined && !next.startsWith('-')) i++;
  }
  return { args, ignored, refused };
};
