import { compareReleases } from '../../versions.ts';
import type { SidecarExtras } from '../shared/csi-sidecars.ts';

/** What differs between the manifests of the upstream releases. */
export interface UpstreamCsiFeatures {
  /** Switches in the ConfigMap of feature states. */
  readonly states: Readonly<Record<string, string>>;
  readonly driverArgs: readonly string[];
  readonly driverEnv: Readonly<Record<string, string>>;
  readonly nodeEnv: Readonly<Record<string, string>>;
  /** How long the syncer holds its Lease, and how often it renews it and retries. */
  readonly syncerLease: { readonly duration: string; readonly renewal: string; readonly retry: string };
  readonly sidecars: SidecarExtras;
}

const beforeThreeTwo = [
  'csi-migration',
  'csi-auth-check',
  'online-volume-extend',
  'async-query-volume',
  'block-volume-snapshot',
  'csi-windows-support',
  'list-volumes',
  'cnsmgr-suspend-create-volume',
  'topology-preferential-datastores',
  'max-pvscsi-targets-per-vm',
  'multi-vcenter-csi-topology',
  'csi-internal-generated-cluster-id',
];

const allTrue = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, 'true']));

/** The Go version of those builds rejects certificates signed with SHA-1, which vCenter of that time had, unless this is set. */
const goDebug = (since: (version: string) => boolean): Readonly<Record<string, string>> => {
  if (since('3.3.0')) return {};
  return { GODEBUG: since('3.2.0') ? 'x509sha1=1,tlsmaxrsasize=16384' : 'x509sha1=1' };
};

const statesOf = (since: (version: string) => boolean): Readonly<Record<string, string>> => ({
  'trigger-csi-fullsync': 'false',
  'pv-to-backingdiskobjectid-mapping': 'false',
  ...(since('3.2.0') ? {} : allTrue(beforeThreeTwo)),
  ...(since('3.2.0') ? {} : { 'listview-tasks': String(since('3.1.0')) }),
  ...(since('3.1.0') ? {} : { 'use-csinode-id': 'true' }),
  ...(since('3.6.0') && !since('3.7.0') ? { 'csi-transaction-support': 'false' } : {}),
  ...(since('3.7.1') ? { 'high-pv-node-density': 'false' } : {}),
});

/** What is special about the named release, according to its own manifests. */
export const upstreamCsiFeatures = (version: string): UpstreamCsiFeatures => {
  const since = (other: string): boolean => compareReleases(version, `${other}-0`) >= 0;
  return {
    states: statesOf(since),
    driverArgs: since('3.6.0') ? ['--enable-profile-server=false'] : [],
    driverEnv: goDebug(since),
    nodeEnv: {
      ...(since('3.7.1') ? {} : { MAX_VOLUMES_PER_NODE: '59' }),
      ...(since('3.2.0') ? {} : goDebug(since)),
    },
    syncerLease: since('3.1.0')
      ? { duration: '30s', renewal: '20s', retry: '10s' }
      : { duration: '120s', renewal: '60s', retry: '30s' },
    sidecars: {
      attacher: since('3.4.0') ? ['--worker-threads=100'] : [],
      resizer: since('3.8.0') ? ['--feature-gates=RecoverVolumeExpansionFailure=false'] : [],
      snapshotter: since('3.6.0') ? ['--extra-create-metadata'] : [],
    },
  };
};
