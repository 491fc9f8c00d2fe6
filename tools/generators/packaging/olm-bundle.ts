import { names } from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Deployment } from '@vdo/kube/types/workloads';
import { loadReleaseSettings } from '@vdo/releases/release-settings';
import { operatorGrants } from '@vdo/releases/render/operator/operator-grants';
import {
  operatorClusterRules,
  operatorNamespaceRules,
  operatorPlaceRules,
} from '@vdo/releases/render/operator/operator-rbac';
import { grantsRole, renderOperator } from '@vdo/releases/render/operator/render-operator';
import { driverRoleLabel } from '@vdo/releases/render/roles/driver-role';
import { driverRoles } from '@vdo/releases/render/roles/driver-roles';
import { imageReference } from '@vdo/releases/render/shared/image-reference';
import { metricsReader } from '@vdo/releases/render/shared/metrics-serving';
import { role } from '@vdo/releases/render/shared/rbac';
import { stringify } from 'yaml';

export interface OlmBundleOptions {
  readonly version: string;
  /** File name → YAML of a CustomResourceDefinition. */
  readonly crds: ReadonlyMap<string, string>;
  /** VSphereDrivers resources that are offered as examples. */
  readonly samples: readonly unknown[];
}

const packageName = 'vdo';
const isDeployment = (object: KubeObject): object is Deployment => object.kind === 'Deployment';
const yaml = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

const annotations = ({ version, samples }: OlmBundleOptions, image: string) => ({
  'alm-examples': JSON.stringify(samples, null, 2),
  capabilities: 'Seamless Upgrades',
  categories: 'Storage, Cloud Provider',
  containerImage: image,
  description: 'Installs, configures, upgrades and watches the vSphere drivers (CPI and CSI) of a cluster.',
  'operatorframework.io/suggested-namespace': names.namespace,
  'operators.openshift.io/must-gather-image': image,
  'features.operators.openshift.io/disconnected': 'true',
  'features.operators.openshift.io/proxy-aware': 'true',
  'features.operators.openshift.io/csi': 'true',
  'features.operators.openshift.io/cni': 'false',
  'features.operators.openshift.io/cnf': 'false',
  'features.operators.openshift.io/fips-compliant': 'false',
  'features.operators.openshift.io/tls-profiles': 'false',
  'features.operators.openshift.io/token-auth-aws': 'false',
  'features.operators.openshift.io/token-auth-azure': 'false',
  'features.operators.openshift.io/token-auth-gcp': 'false',
  'olm.skipRange': `<${version}`,
});

interface Descriptor {
  readonly path: string;
  readonly displayName: string;
  readonly description: string;
  readonly 'x-descriptors'?: readonly string[];
}

const specDescriptors: readonly Descriptor[] = [
  { path: 'distribution', displayName: 'Distribution', description: 'Whose drivers are installed.' },
  { path: 'vcenters', displayName: 'vCenters', description: 'The vCenters that run the nodes of this cluster.' },
  {
    path: 'vcenters[0].credentialsSecret',
    displayName: 'Credentials',
    description: 'Secret with the keys username and password.',
    'x-descriptors': ['urn:alm:descriptor:io.kubernetes:Secret'],
  },
  { path: 'cpi', displayName: 'Cloud controller manager', description: 'Leave it out to run storage alone.' },
  { path: 'csi', displayName: 'Storage', description: 'Leave it out to run the cloud controller manager alone.' },
  { path: 'updates.policy', displayName: 'Update policy', description: 'When releases of the drivers change.' },
];

const statusDescriptors: readonly Descriptor[] = [
  {
    path: 'conditions',
    displayName: 'Conditions',
    description: 'State of the whole.',
    'x-descriptors': ['urn:alm:descriptor:io.kubernetes.conditions'],
  },
  { path: 'drivers', displayName: 'Drivers', description: 'The drivers, as they run.' },
  { path: 'checks.failing', displayName: 'Failing checks', description: 'Each with its remedy.' },
];

/** Roles that read Secrets would be bound in every namespace as easily as in one: upstream drivers need the Role of operator.yaml. */
const readsSecrets = ({ rules }: { readonly rules: readonly PolicyRule[] }): boolean =>
  rules.some(({ resources, resourceNames }) => resources?.includes('secrets') && resourceNames === undefined);
const grants = operatorGrants(driverRoles.filter((role) => !role.optional && !readsSecrets(role)));
const inHome = ({ namespace }: { readonly namespace: string }): boolean => namespace === names.namespace;

/**
 * The rights of the operator's namespace are not among them: to an operator of all namespaces OLM would give them in each, and with
 * them all Secrets of the cluster. They are Roles of the bundle instead. Those in the namespaces of the upstream drivers become rights
 * of the cluster, because a bundle can bring nothing into other namespaces; their writes are limited to names all the same.
 */
const clusterRules: readonly PolicyRule[] = [
  ...operatorClusterRules,
  ...grants.cluster,
  ...[...operatorPlaceRules, ...grants.places.filter((place) => !inHome(place))].flatMap(({ rules }) => rules),
];

const ownedCrds = [
  {
    name: 'vspheredrivers.vdo.vmware.com',
    version: 'v1beta1',
    kind: 'VSphereDrivers',
    displayName: 'vSphere drivers',
    description: 'The vSphere drivers of this cluster: one resource, named cluster.',
    specDescriptors,
    statusDescriptors,
  },
  {
    name: 'volumeintents.vdo.vmware.com',
    version: 'v1beta1',
    kind: 'VolumeIntent',
    displayName: 'Volume intent',
    description: 'What the storage driver is about to do. Kept by the driver, not by people.',
  },
];

const clusterServiceVersion = (options: OlmBundleOptions) => {
  const { version } = options;
  const image = { repository: `${loadReleaseSettings().registry}/${names.image}`, tag: version };
  const deployment = renderOperator({ version, image, openShift: true }).find(isDeployment);
  if (!deployment) throw new Error('the operator has no Deployment');
  const serviceAccountName = names.operator;
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `${packageName}.v${version}`,
      namespace: names.namespace,
      annotations: annotations(options, imageReference(image)),
      labels: { 'operatorframework.io/arch.amd64': 'supported', 'operatorframework.io/os.linux': 'supported' },
    },
    spec: {
      displayName: 'vSphere Kubernetes Drivers Operator',
      description:
        'One custom resource installs the cloud controller manager and the storage driver for vSphere in releases that fit Kubernetes and every vCenter, keeps them healthy, upgrades them step by step and says what to do where something is missing. Where OpenShift keeps these drivers itself, the operator stands down and reports on their health.',
      version,
      maturity: 'beta',
      minKubeVersion: '1.28.0',
      keywords: ['vsphere', 'csi', 'cloud controller manager', 'storage'],
      provider: { name: 'VDO maintainers' },
      maintainers: [{ name: 'VDO maintainers', email: 'maintainers@example.com' }],
      links: [],
      icon: [],
      installModes: [
        { type: 'OwnNamespace', supported: true },
        { type: 'SingleNamespace', supported: false },
        { type: 'MultiNamespace', supported: false },
        // There OLM would bind namespaced rights in every namespace; the resource has no namespace anyway.
        { type: 'AllNamespaces', supported: false },
      ],
      install: {
        strategy: 'deployment',
        spec: {
          clusterPermissions: [{ serviceAccountName, rules: clusterRules }],
          deployments: [{ name: names.operator, label: deployment.metadata.labels, spec: deployment.spec }],
        },
      },
      customresourcedefinitions: { owned: ownedCrds },
      relatedImages: [{ name: 'vdo', image: imageReference(image) }],
    },
  };
};

const bundleAnnotations = {
  annotations: {
    'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
    'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
    'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
    'operators.operatorframework.io.bundle.package.v1': packageName,
    'operators.operatorframework.io.bundle.channels.v1': 'stable',
    'operators.operatorframework.io.bundle.channel.default.v1': 'stable',
    'com.redhat.openshift.versions': 'v4.15',
  },
};

/** The channel that catalogs are built from; a release adds its entry with what it replaces. */
const catalog = (version: string): string =>
  [
    { schema: 'olm.package', name: packageName, defaultChannel: 'stable' },
    {
      schema: 'olm.channel',
      package: packageName,
      name: 'stable',
      entries: [{ name: `${packageName}.v${version}`, skipRange: `<${version}` }],
    },
  ]
    .map(yaml)
    .join('---\n');

/** What the bundle has beside the version: OLM puts what has a namespace into that of the operator. */
const beside = (): ReadonlyMap<string, string> => {
  const labels = { 'app.kubernetes.io/name': names.operator };
  const subject = { namespace: names.namespace, serviceAccount: names.operator, labels };
  const rights = { name: names.operator, namespace: names.namespace, rules: operatorNamespaceRules };
  const toBind = grants.places.filter(inHome).flatMap((place) => role({ name: grantsRole, ...place }, subject));
  const roles = renderOperator({ version: '0', image: { repository: names.image, tag: '0' } }).filter(
    ({ metadata }) => metadata.labels?.[driverRoleLabel] !== undefined,
  );
  const objects = [...role(rights, subject), ...toBind, ...roles, ...metricsReader(subject)];
  return new Map(
    objects.map((object) => [
      `bundle/manifests/${object.metadata.name?.replaceAll(':', '-')}.${object.kind.toLowerCase()}.yaml`,
      yaml(object),
    ]),
  );
};

/** Files of the bundle, and of the catalog beside it, by path. */
export const renderOlmBundle = (options: OlmBundleOptions): ReadonlyMap<string, string> =>
  new Map([
    [`bundle/manifests/${packageName}.clusterserviceversion.yaml`, yaml(clusterServiceVersion(options))],
    ...beside(),
    ...[...options.crds].map(([file, crd]) => [`bundle/manifests/${file}`, crd] as const),
    ['bundle/metadata/annotations.yaml', yaml(bundleAnnotations)],
    ['catalog/channel.yaml', catalog(options.version)],
  ]);
