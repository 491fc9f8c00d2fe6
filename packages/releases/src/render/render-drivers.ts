import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { hasOwnAccount } from '@vdo/config/driver-accounts';
import { topologyLabelsOf } from '@vdo/config/driver-config-from-spec';
import type { KeptClusterIds } from '@vdo/config/kept-cluster-ids';
import { names } from '@vdo/config/names';
import type { AnyObject, KubeObject } from '@vdo/kube/types/object';
import type { Distribution, DriverKind, Release } from '../matrix.ts';
import { compareToRange } from '../versions.ts';
import { knownLayouts } from './layouts.ts';
import { renderNativeCpi } from './native/cpi.ts';
import { renderNativeCsi } from './native/csi.ts';
import { renderAdmissionPolicies } from './shared/admission-policies.ts';
import { clusterIdFor } from './shared/cluster-id.ts';
import { credentialsSecret, type ServerAccount } from './shared/credentials-secret.ts';
import { driverConfigMap } from './shared/driver-config-map.ts';
import { requireHarmless } from './shared/harmless-settings.ts';
import { managedLabels } from './shared/labels.ts';
import { privilegedNamespace } from './shared/namespaces.ts';
import { renderRemovalPolicy } from './shared/removal-policy.ts';
import type { DriverReads, RenderContext } from './shared/render-context.ts';
import { renderSnapshotClasses } from './shared/snapshot-classes.ts';
import { renderSnapshotController } from './shared/snapshot-controller.ts';
import { snapshotCrds } from './shared/snapshot-crds.ts';
import { renderStorageClasses } from './shared/storage-classes.ts';
import { requireServed } from './shared/unserved-settings.ts';
import { renderUpstreamCpi } from './upstream/cpi.ts';
import { renderUpstreamCsi } from './upstream/csi.ts';

export interface RenderInput {
  readonly spec: VSphereDriversSpec;
  /** The selected releases; a driver without one is not rendered. */
  readonly releases: { readonly cpi?: Release; readonly csi?: Release };
  /** Drivers that run and stay as they are, without a release: shared objects are still rendered for them. Default: none. */
  readonly standing?: Readonly<Partial<Record<DriverKind, Distribution>>>;
  /** Render only this driver and the shared objects: a problem of the other one must not cause a failure. Default: both. */
  readonly only?: DriverKind;
  /** The accounts in the Secrets of the vCenters in the spec. */
  readonly accounts: readonly ServerAccount[];
  /** Those in the separate Secret of a driver; ignored for a driver without one. */
  readonly driverAccounts?: Readonly<Partial<Record<DriverKind, readonly ServerAccount[]>>>;
  /** Default vmware-system-vdo. Upstream drivers run in the namespaces of their own manifests. */
  readonly namespace?: string;
  /** Version of the API server: objects that it does not support are omitted. Default: all of these are omitted. */
  readonly kubernetesVersion?: string;
  /** The versions of the vCenters: admission refuses what none of them supports. Default: not known. */
  readonly vcenters?: readonly { readonly server: string; readonly version: string }[];
  /** The cluster IDs that the drivers generated themselves. */
  readonly clusterIds?: KeptClusterIds;
  /** Pods of a controller for which the spec sets no number. Default 1. */
  readonly replicas?: Readonly<Record<DriverKind, number>>;
  /** Port of the API server behind its Service. Default: the usual port. */
  readonly apiServerPort?: number;
  /** Default false. */
  readonly openShift?: boolean;
  /** The parts of the snapshot API that somebody else installed: they are not rendered. */
  readonly foreign?: { readonly snapshotCrds?: boolean; readonly snapshotController?: boolean };
}

// Spreading converts the typed object to a plain one, which the applier accepts whatever its kind.
const plain = (object: KubeObject): AnyObject => ({ ...object });

const unknownLayout = (release: Release): VdoError =>
  new VdoError({
    code: 'ReleaseLayoutUnknown',
    message: `release ${release.distribution} ${release.driver} ${release.version} has layout ${release.layout}; this operator knows ${knownLayouts.join(', ')}`,
    remedy: `Upgrade the operator${release.minOperator === undefined ? '' : ` to ${release.minOperator} or later`}.`,
  });

type Contexts = (release: Release) => RenderContext;

const drivers: readonly DriverKind[] = ['cpi', 'csi'];
const ownReads: Readonly<Record<DriverKind, DriverReads>> = {
  cpi: { configMap: names.cpiConfigMap, secret: names.cpiCredentials, own: true },
  csi: { configMap: names.csiConfigMap, secret: names.csiCredentials, own: true },
};
const sharedReads: DriverReads = { configMap: names.configMap, secret: names.credentialsSecret, own: false };

/** The accounts with which a driver logs in. */
const accountsOf = ({ spec, accounts, driverAccounts }: RenderInput, driver: DriverKind): readonly ServerAccount[] => {
  if (!hasOwnAccount(spec, driver)) return accounts;
  const own = driverAccounts?.[driver];
  if (!own) throw new RangeError(`${driver} has its own accounts, but none was passed`);
  return own;
};

const renderCpi = (input: RenderInput, contextOf: Contexts): readonly KubeObject[] => {
  const { spec, releases } = input;
  const accounts = accountsOf(input, 'cpi');
  if (!spec.cpi || !releases.cpi) return [];
  const context = contextOf(releases.cpi);
  switch (releases.cpi.layout) {
    case 'native-cpi-1':
    case 'native-cpi-2':
      return renderNativeCpi(spec.cpi, context);
    case 'upstream-cpi-1':
      return renderUpstreamCpi({ spec, cpi: spec.cpi, accounts, context });
    default:
      throw unknownLayout(releases.cpi);
  }
};

const renderCsi = (input: RenderInput, contextOf: Contexts): readonly KubeObject[] => {
  const { spec, releases } = input;
  const accounts = accountsOf(input, 'csi');
  if (!spec.csi || !releases.csi) return [];
  const context = contextOf(releases.csi);
  switch (releases.csi.layout) {
    case 'native-csi-1':
    case 'native-csi-2':
    case 'native-csi-3':
      return renderNativeCsi(spec.csi, context);
    case 'upstream-csi-1':
      return renderUpstreamCsi({ spec, accounts, context });
    default:
      throw unknownLayout(releases.csi);
  }
};

const renderSnapshots = (input: RenderInput, contextOf: Contexts): readonly KubeObject[] => {
  const { spec, releases, foreign = {} } = input;
  const { csi } = spec;
  if (!csi || !releases.csi) return [];
  const install = csi.snapshots?.install === true;
  const crds = snapshotCrds.map((crd) => ({ ...crd, metadata: { ...crd.metadata, labels: managedLabels } }));
  return [
    ...(install && !foreign.snapshotCrds ? crds : []),
    ...(install && !foreign.snapshotController ? renderSnapshotController(contextOf(releases.csi)) : []),
  ];
};

/** The spec with the ID that the configuration of the storage driver must contain, or without one. */
const withClusterId = ({ spec, releases, standing, clusterIds = {} }: RenderInput): VSphereDriversSpec => {
  const distribution = releases.csi?.distribution ?? standing?.csi;
  if (!spec.csi || !distribution) return spec;
  const { clusterId: wanted, ...csi } = spec.csi;
  const clusterId = clusterIdFor(distribution, { wanted, kept: clusterIds });
  return { ...spec, csi: { ...csi, ...(clusterId === undefined ? {} : { clusterId }) } };
};

const isAtLeast = (version: string | undefined, minor: string): boolean =>
  version !== undefined && ['inside', 'too-new'].includes(compareToRange(version, { min: minor, max: minor }));

/** Mistakes in objects of the native driver are refused when the objects are created, if the API server supports this. */
const renderAdmission = ({ spec, releases, kubernetesVersion, vcenters = [] }: RenderInput): readonly KubeObject[] =>
  spec.csi && releases.csi?.distribution === 'Native' && isAtLeast(kubernetesVersion, '1.30')
    ? renderAdmissionPolicies({
        snapshots: spec.csi.snapshots !== undefined,
        attributesClasses: isAtLeast(kubernetesVersion, '1.34'),
        vcenters,
      })
    : [];

/** Changes that would leave volumes without a driver are refused, whichever driver serves them. */
const renderRemoval = ({ spec, releases, kubernetesVersion }: RenderInput, namespace: string): readonly KubeObject[] =>
  spec.csi && releases.csi && isAtLeast(kubernetesVersion, '1.30') ? renderRemovalPolicy({ namespace }) : [];

const distributionOf = ({ releases, standing }: RenderInput, driver: DriverKind): Distribution | undefined =>
  releases[driver]?.distribution ?? standing?.[driver];

/** Everything that should exist in the cluster, including credentials, in the order in which it is applied. */
export const renderDrivers = (input: RenderInput): readonly AnyObject[] => {
  const { namespace = names.namespace, only } = input;
  const spec = withClusterId(input);
  const { cpi, csi } = input.releases;
  const releases = { ...(cpi && only !== 'csi' ? { cpi } : {}), ...(csi && only !== 'cpi' ? { csi } : {}) };
  requireServed(spec, releases);
  if (releases.csi) requireHarmless(spec);
  const known = { ...input, releases, spec };
  const readsOf = (driver: DriverKind): DriverReads => (hasOwnAccount(spec, driver) ? ownReads[driver] : sharedReads);
  const configOf = ({ configMap, secret }: DriverReads) =>
    driverConfigMap(spec, { namespace, name: configMap, secret });
  const contextOf = (release: Release): RenderContext => ({
    release,
    namespace,
    images: spec.images,
    advanced: spec.advanced,
    configHash: configOf(readsOf(release.driver)).hashes[release.driver],
    reads: readsOf(release.driver),
    topologyLabels: topologyLabelsOf(spec),
    replicas: spec[release.driver]?.replicas ?? input.replicas?.[release.driver] ?? 1,
    openShift: input.openShift ?? false,
    vcenterPorts: spec.vcenters.map(({ port }) => port),
    ...(input.apiServerPort === undefined ? {} : { apiServerPort: input.apiServerPort }),
  });
  const nativeOnes = drivers.filter((driver) => distributionOf(input, driver) === 'Native');
  // Shared objects stay if one driver has its own: pods of the previous template may still exist.
  const shared =
    nativeOnes.length > 0 ? [configOf(sharedReads).object, credentialsSecret(input.accounts, { namespace })] : [];
  const own = nativeOnes
    .filter((driver) => hasOwnAccount(spec, driver))
    .flatMap((driver) => [
      configOf(ownReads[driver]).object,
      credentialsSecret(accountsOf(input, driver), { namespace, name: ownReads[driver].secret }),
    ]);
  const storage = [
    ...renderCsi(known, contextOf),
    ...renderSnapshots(known, contextOf),
    ...renderAdmission(known),
    ...renderRemoval(known, namespace),
  ];
  // Last, because a cluster may not have the snapshot API: then only these fail.
  const classes =
    spec.csi && releases.csi
      ? [...renderStorageClasses(spec.csi.storageClasses), ...renderSnapshotClasses(spec.csi)]
      : [];
  const objects = [
    privilegedNamespace(namespace),
    ...shared,
    ...own,
    ...renderCpi(known, contextOf),
    ...storage,
    ...classes,
  ];
  return objects.map(plain);
};
