/*
 * What the programs that people use today can do, and what becomes of it here. Names are those of cloud-provider-vsphere (master of
 * August 2026), vsphere-csi-driver (master of August 2026) and vmware-tanzu/vsphere-kubernetes-drivers-operator (its last commit).
 * test/comparison asks the program about each flag, and looks each proof and each reason up.
 */

/** Flags of the Go cloud controller manager, each with a value that it takes. Whether ours takes it, ours says itself. */
export const cpiFlags: Readonly<Record<string, string>> = {
  'allocate-node-cidrs': 'false',
  'allow-metric-labels': 'a,b=c',
  'allow-metric-labels-manifest': 'labels.yaml',
  'allow-untagged-cloud': 'true',
  'authentication-kubeconfig': 'config',
  'authentication-skip-lookup': 'true',
  'authentication-token-webhook-cache-ttl': '10s',
  'authentication-tolerate-lookup-failure': 'true',
  'authorization-always-allow-paths': '/healthz',
  'authorization-kubeconfig': 'config',
  'authorization-webhook-cache-authorized-ttl': '10s',
  'authorization-webhook-cache-unauthorized-ttl': '10s',
  'bind-address': '0.0.0.0',
  'cert-dir': 'certs',
  'cidr-allocator-type': 'RangeAllocator',
  'client-ca-file': 'ca.crt',
  'cloud-provider': 'vsphere',
  'cluster-cidr': '10.0.0.0/8',
  'cluster-ip-family': 'ipv4',
  'cluster-name': 'kubernetes',
  'concurrent-node-syncs': '2',
  'concurrent-service-syncs': '1',
  'configure-cloud-routes': 'false',
  'contention-profiling': 'false',
  'controller-start-interval': '0s',
  controllers: '*',
  'disable-http2-serving': 'true',
  'disabled-metrics': 'a',
  'emulated-version': '1.34',
  'enable-leader-migration': 'true',
  'enable-service-annotation-propagation': 'true',
  'enable-vpc-mode': 'true',
  'external-cloud-volume-plugin': 'vsphere',
  'feature-gates': 'A=true',
  'http2-max-streams-per-connection': '10',
  'is-legacy-paravirtual': 'true',
  'kube-api-burst': '30',
  'kube-api-content-type': 'application/json',
  'kube-api-qps': '20',
  kubeconfig: 'config',
  'leader-elect': 'true',
  'leader-elect-lease-duration': '15s',
  'leader-elect-renew-deadline': '10s',
  'leader-elect-resource-lock': 'leases',
  'leader-elect-resource-name': 'name',
  'leader-elect-resource-namespace': 'kube-system',
  'leader-elect-retry-period': '2s',
  'leader-migration-config': 'file',
  'log-flush-frequency': '5s',
  'log-text-info-buffer-size': '0',
  'log-text-split-stream': 'false',
  'logging-format': 'text',
  master: 'https://api.example',
  'min-resync-period': '12h',
  'node-labels': 'a=b',
  'node-monitor-period': '5s',
  'node-status-update-frequency': '5m',
  'node-sync-period': '5m',
  'permit-address-sharing': 'false',
  'permit-port-sharing': 'false',
  'pod-ip-pool-type': 'Public',
  profiling: 'false',
  'requestheader-allowed-names': 'a',
  'requestheader-client-ca-file': 'ca.crt',
  'requestheader-extra-headers-prefix': 'x-',
  'requestheader-group-headers': 'x-group',
  'requestheader-username-headers': 'x-user',
  'route-reconciliation-period': '10s',
  'secure-port': '10258',
  'show-hidden-metrics-for-version': '1.33',
  'tls-cipher-suites': 'TLS_AES_128_GCM_SHA256',
  'tls-min-version': 'VersionTLS12',
  'tls-sni-cert-key': 'a.crt,a.key',
  'use-service-account-credentials': 'false',
  v: '2',
  'vm-operator-api-version': 'v1alpha2',
  vmodule: 'a=2',
  'webhook-bind-address': '0.0.0.0',
  'webhook-secure-port': '10260',
  webhooks: 'a',
};

/** `shown`: a file of this repository and words in it. `absent`: a section of docs/explanation/not-here.md. */
type Answer =
  | { readonly how: string; readonly shown: readonly [string, string] }
  | { readonly how: string; readonly absent: string };

export interface Row {
  readonly name: string;
  readonly answer: Answer;
}

const here = (how: string, file: string, words: string): Answer => ({ how, shown: [file, words] });
const absent = (how: string, section: string): Answer => ({ how, absent: section });
const supervisor = absent('a switch of Supervisor clusters', 'Supervisor and paravirtual clusters');

/** Feature states of vsphere-csi-driver, of its manifests and of its sources. */
export const csiFeatureStates: readonly Row[] = [
  {
    name: 'block-volume-snapshot',
    answer: here(
      'offered where the vCenter has it (7.0 Update 3)',
      'docs/reference/vcenter-features.md',
      'Snapshots and copies of volumes',
    ),
  },
  {
    name: 'csi-migration',
    answer: here('volumes of the in-tree plugin are served', 'docs/guides/migrate-in-tree.md', 'in-tree'),
  },
  { name: 'csi-windows-support', answer: absent('Windows nodes are not served', 'Windows nodes') },
  { name: 'csi-sv-feature-states-replication', answer: supervisor },
  {
    name: 'file-volume',
    answer: here(
      'offered where the vCenter has it (7.0 Update 1)',
      'docs/reference/vcenter-features.md',
      'File volumes',
    ),
  },
  {
    name: 'improved-csi-idempotency',
    answer: here('always: what is about to be done is noted first', 'docs/explanation/data-safety.md', 'intent'),
  },
  { name: 'linked-clone-support', answer: absent('full copies only', 'Linked clones') },
  {
    name: 'online-volume-extend',
    answer: here(
      'offered where the vCenter has it (7.0 Update 2)',
      'docs/reference/vcenter-features.md',
      'Online volume expansion',
    ),
  },
  { name: 'storage-quota-m2', answer: supervisor },
  { name: 'tkgs-ha', answer: supervisor },
  {
    name: 'topology-preferential-datastores',
    answer: here(
      'always: tags of category `cns.vmware.topology-preferred-datastores`',
      'docs/guides/topology.md',
      '## Preferred datastores',
    ),
  },
  { name: 'vks-register-volume', answer: supervisor },
  { name: 'workload-domain-isolation', answer: supervisor },
];

/** What people do with the Go storage driver and the tools around it, beyond feature states. */
export const csiFeatures: readonly Row[] = [
  {
    name: 'csi-fetch-preferred-datastores-intervalinmin',
    answer: here(
      'taken; `advanced.volumes.preferredDatastoresInterval`',
      'docs/reference/api.md',
      'preferredDatastoresInterval',
    ),
  },
  {
    name: 'targetvSANFileShareClusters',
    answer: here('`csi.fileVolumes.clusters`', 'docs/guides/file-volumes.md', '## On which cluster'),
  },
  {
    name: 'NetPermissions: ips, permissions, rootsquash',
    answer: here('`csi.fileVolumes.netPermissions`', 'docs/guides/file-volumes.md', '## Who may mount a share'),
  },
  {
    name: 'static file volumes',
    answer: here(
      'a PersistentVolume with the ID of the share',
      'docs/guides/file-volumes.md',
      '## Use an existing share',
    ),
  },
  {
    name: 'moving volumes (CnsRelocateVolume, cns-manager)',
    answer: here(
      '`vdoctl volumes move`, for volumes that are not attached',
      'docs/guides/move-volumes.md',
      '## Empty a datastore',
    ),
  },
  {
    name: 'VolumeGroupSnapshot',
    answer: absent('refused with a reason', 'Snapshots of groups of volumes'),
  },
];

/** What vmware-tanzu/vsphere-kubernetes-drivers-operator offers; its command line bears the name of ours, so commands go without it. */
export const vdoFeatures: readonly Row[] = [
  { name: 'deploy', answer: here('`vdoctl install`', 'docs/reference/cli.md', '## vdoctl install') },
  {
    name: 'configure drivers',
    answer: here('`vdoctl configure`', 'docs/reference/cli.md', '## vdoctl configure'),
  },
  {
    name: 'configure compatibility-matrix',
    answer: here('`vdoctl matrix`', 'docs/reference/cli.md', '## vdoctl matrix show'),
  },
  {
    name: 'update compatibility-matrix',
    answer: here('`vdoctl matrix update`', 'docs/reference/cli.md', '## vdoctl matrix update'),
  },
  { name: 'status', answer: here('`vdoctl status`', 'docs/reference/cli.md', '## vdoctl status') },
  { name: 'delete', answer: here('`vdoctl uninstall`', 'docs/reference/cli.md', '## vdoctl uninstall') },
  { name: 'version', answer: here('`vdoctl versions`', 'docs/reference/cli.md', '## vdoctl versions') },
  {
    name: 'VDOConfig, VsphereCloudConfig',
    answer: here('imported into one VSphereDrivers by `vdoctl migrate vdo`', 'docs/guides/migrate-vdo.md', 'VDOConfig'),
  },
  {
    name: 'fileVolumes.netPermissions',
    answer: here('`spec.csi.fileVolumes`', 'docs/reference/api.md', 'netPermissions'),
  },
  { name: 'topology.zone, topology.region', answer: here('`spec.topology`', 'docs/reference/api.md', 'topology') },
  { name: 'OpenShift, OperatorHub', answer: here('an OLM bundle', 'test/tools/olm-bundle.test.ts', 'describe') },
];
