/** Flags of the Go cloud controller manager that may stay on the command line: they change nothing here. */
const flagsWithoutEffect: Readonly<Record<string, string>> = {
  'allocate-node-cidrs': 'pod CIDRs are not a matter of this program',
  'allow-metric-labels': 'labels of metrics are fixed',
  'allow-metric-labels-manifest': 'labels of metrics are fixed',
  'allow-untagged-cloud': 'vSphere knows no cluster tags on VMs',
  'authentication-kubeconfig': 'tokens are reviewed by the API server of --kubeconfig',
  'authentication-skip-lookup': 'tokens are reviewed by the API server of --kubeconfig',
  'authentication-token-webhook-cache-ttl': 'how long a review of a token counts is fixed',
  'authentication-tolerate-lookup-failure': 'nothing is looked up for it',
  'authorization-always-allow-paths': 'callers are reviewed by the API server of --kubeconfig',
  'authorization-kubeconfig': 'callers are reviewed by the API server of --kubeconfig',
  'authorization-webhook-cache-authorized-ttl': 'how long a review of a caller counts is fixed',
  'authorization-webhook-cache-unauthorized-ttl': 'how long a review of a caller counts is fixed',
  'cidr-allocator-type': 'pod CIDRs are not a matter of this program',
  'client-ca-file': 'callers show tokens, not certificates',
  'cluster-cidr': 'pod CIDRs are not a matter of this program',
  'cluster-name': 'only load balancers used it',
  'concurrent-service-syncs': 'load balancers are not provided',
  'configure-cloud-routes': 'routes are not provided',
  'contention-profiling': 'it concerns the Go runtime',
  'controller-start-interval': 'controllers start together',
  'disable-http2-serving': 'HTTP/2 is not served',
  'disabled-metrics': 'all metrics are shown',
  'emulated-version': 'there are no feature gates',
  'external-cloud-volume-plugin': 'volumes are the matter of the storage driver',
  'feature-gates': 'there are no feature gates: dual stack is always on',
  'http2-max-streams-per-connection': 'HTTP/2 is not served',
  'kube-api-content-type': 'JSON is always spoken',
  'log-flush-frequency': 'log lines are written at once',
  'log-text-info-buffer-size': 'log lines are written at once',
  'log-text-split-stream': 'log lines are written to one stream',
  'logging-format': 'logs are always JSON lines',
  'min-resync-period': 'changes are watched, nothing is resynchronised',
  'node-monitor-period': 'changes are watched, nothing is polled',
  'node-status-update-frequency': 'changes are watched, nothing is polled',
  'node-sync-period': 'changes are watched, nothing is polled',
  'permit-address-sharing': 'addresses are not shared',
  'permit-port-sharing': 'ports are not shared',
  profiling: 'it concerns the Go runtime',
  'requestheader-allowed-names': 'there is no proxy that authenticates',
  'requestheader-client-ca-file': 'there is no proxy that authenticates',
  'requestheader-extra-headers-prefix': 'there is no proxy that authenticates',
  'requestheader-group-headers': 'there is no proxy that authenticates',
  'requestheader-username-headers': 'there is no proxy that authenticates',
  'route-reconciliation-period': 'routes are not provided',
  'show-hidden-metrics-for-version': 'no metric is hidden',
  'use-service-account-credentials': 'one account serves all controllers',
  vmodule: '-v counts for all of the program',
  'webhook-bind-address': 'there are no webhooks',
  'webhook-secure-port': 'there are no webhooks',
};

// The in-tree loops run under the Lease of kube-controller-manager, ours under that of the cloud controller manager.
const leaderMigration =
  'This program takes no part in leader migration. Set --cloud-provider=external on every kube-controller-manager, and remove --enable-leader-migration from it, before this program starts: then the in-tree loops have ended, and nothing is handed over.';

const supervisor = 'Supervisor (paravirtual) clusters are served by the Go program only.';
// Whoever asks for a stricter server must not get a laxer one in silence.
const serving =
  'Metrics and health are served with the TLS versions and ciphers of Node.js (TLS 1.2 and 1.3), by one certificate. Remove the flag if that will do.';

/** Flags whose loss would change what the program does, and what to do instead. */
const refusedFlags: Readonly<Record<string, string>> = {
  'enable-leader-migration': leaderMigration,
  'cluster-ip-family': supervisor,
  'enable-service-annotation-propagation': supervisor,
  'enable-vpc-mode': supervisor,
  'is-legacy-paravirtual': supervisor,
  'leader-migration-config': leaderMigration,
  master: 'Put the address of the API server into the kubeconfig and give --kubeconfig.',
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
