/** Flags of the Go cloud controller manager that may stay on the command line. They have no effect here. */
const flagsWithoutEffect: Readonly<Record<string, string>> = {
  'allocate-node-cidrs': 'this program does not allocate pod CIDRs',
  'allow-metric-labels': 'metric labels are fixed',
  'allow-metric-labels-manifest': 'metric labels are fixed',
  'allow-untagged-cloud': 'vSphere has no cluster tags on VMs',
  'authentication-kubeconfig': 'the API server of --kubeconfig checks tokens',
  'authentication-skip-lookup': 'the API server of --kubeconfig checks tokens',
  'authentication-token-webhook-cache-ttl': 'the cache lifetime of token reviews is fixed',
  'authentication-tolerate-lookup-failure': 'this program looks up no authentication configuration',
  'authorization-always-allow-paths': 'the API server of --kubeconfig authorizes callers',
  'authorization-kubeconfig': 'the API server of --kubeconfig authorizes callers',
  'authorization-webhook-cache-authorized-ttl': 'the cache lifetime of access reviews is fixed',
  'authorization-webhook-cache-unauthorized-ttl': 'the cache lifetime of access reviews is fixed',
  'cidr-allocator-type': 'this program does not allocate pod CIDRs',
  'client-ca-file': 'callers authenticate with tokens, not certificates',
  'cluster-cidr': 'this program does not allocate pod CIDRs',
  'cluster-name': 'only load balancers use it',
  'concurrent-service-syncs': 'load balancers are not provided',
  'configure-cloud-routes': 'routes are not provided',
  'contention-profiling': 'it applies only to the Go runtime',
  'controller-start-interval': 'all controllers start at the same time',
  'disable-http2-serving': 'HTTP/2 is not served',
  'disabled-metrics': 'all metrics are served',
  'emulated-version': 'there are no feature gates',
  'external-cloud-volume-plugin': 'the CSI driver manages volumes',
  'feature-gates': 'there are no feature gates; dual stack is always on',
  'http2-max-streams-per-connection': 'HTTP/2 is not served',
  'kube-api-content-type': 'requests always use JSON',
  'log-flush-frequency': 'log lines are written immediately',
  'log-text-info-buffer-size': 'log lines are written immediately',
  'log-text-split-stream': 'log lines are written to one stream',
  'logging-format': 'logs are always JSON lines',
  'min-resync-period': 'changes are watched; there is no periodic resync',
  'node-monitor-period': 'changes are watched, not polled',
  'node-status-update-frequency': 'changes are watched, not polled',
  'node-sync-period': 'changes are watched, not polled',
  'permit-address-sharing': 'addresses are not shared',
  'permit-port-sharing': 'ports are not shared',
  profiling: 'it applies only to the Go runtime',
  'requestheader-allowed-names': 'authenticating proxies are not supported',
  'requestheader-client-ca-file': 'authenticating proxies are not supported',
  'requestheader-extra-headers-prefix': 'authenticating proxies are not supported',
  'requestheader-group-headers': 'authenticating proxies are not supported',
  'requestheader-username-headers': 'authenticating proxies are not supported',
  'route-reconciliation-period': 'routes are not provided',
  'show-hidden-metrics-for-version': 'no metric is hidden',
  'use-service-account-credentials': 'all controllers use one account',
  vmodule: '-v applies to the whole program',
  'webhook-bind-address': 'there are no webhooks',
  'webhook-secure-port': 'there are no webhooks',
};

// The in-tree controllers run under the Lease of kube-controller-manager, ours under the Lease of the cloud controller manager.
const leaderMigration =
  'This program does not support leader migration. Before you start it, set --cloud-provider=external on every kube-controller-manager and remove --enable-leader-migration from it. The in-tree controllers have then stopped, and there is nothing to hand over.';

const supervisor = 'Only the Go program supports Supervisor (paravirtual) clusters.';
// A user who asks for a stricter server must not silently get a less strict one.
const serving =
  'Metrics and health are served with the TLS versions and ciphers of Node.js (TLS 1.2 and 1.3) and one certificate. Remove the flag if this is sufficient.';

/** Flags that must not be ignored, because the program would then behave differently; with what to do instead. */
const refusedFlags: Readonly<Record<string, string>> = {
  'enable-leader-migration': leaderMigration,
  'cluster-ip-family': supervisor,
  'enable-service-annotation-propagation': supervisor,
  'enable-vpc-mode': supervisor,
  'is-legacy-paravirtual': supervisor,
  'leader-migration-config': leaderMigration,
  master: 'Put the address of the API server into the kubeconfig file and pass --kubeconfig.',
  'pod-ip-pool-type': supervisor,
  'tls-cipher-suites': serving,
  'tls-min-version': serving,
  'tls-sni-cert-key': serving,
  'vm-operator-api-version': supervisor,
  webhooks: 'This program has no webhooks.',
};

export interface SiftedArgs {
  readonly args: readonly string[];
  /** One line for each flag that is ignored. */
  readonly ignored: readonly string[];
  readonly refused: readonly string[];
}

const nameOf = (arg: string): string | undefined => /^--([a-z][a-z0-9-]*)(=|$)/.exec(arg.replaceAll('_', '-'))?.[1];

/** Removes the flags that only the Go program has, and separates those without effect from those that are refused. */
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
