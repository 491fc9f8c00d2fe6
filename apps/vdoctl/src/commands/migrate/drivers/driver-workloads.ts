import { labelKeys, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { type DaemonSet, type Deployment, daemonSets, deployments } from '@vdo/kube/types/workloads';

/** A workload of the Go drivers that another tool installed. */
export interface DriverWorkload {
  readonly driver: 'cpi' | 'csi';
  readonly kind: 'Deployment' | 'DaemonSet';
  readonly namespace: string;
  readonly name: string;
  readonly images: readonly string[];
  /** Whether the operator uses the same names and can take it over in place; otherwise it has to be stopped. */
  readonly isUsual: boolean;
  /** The tool that manages it. */
  readonly manager?: 'Helm' | 'Argo CD' | 'Flux' | 'OLM';
  readonly helm?: { readonly namespace: string; readonly name: string };
  readonly workload: Deployment | DaemonSet;
}

/** Repository names of the images of the Go drivers, in old and new registries. */
const cpiImages = new Set<string>(['cloud-provider-vsphere', names.cpi, 'cpi/release/manager']);
const csiImages = new Set([
  'csi-vsphere/driver',
  'csi-vsphere/syncer',
  'csi/release/driver',
  'csi/release/syncer',
  'csi-vsphere-driver',
  'csi-vsphere-syncer',
  'vsphere-block-csi-driver',
  'vsphere-csi-driver',
]);

/** Whether an image is one of these, by the last one, two or three parts of its name. */
const isAmong = (known: ReadonlySet<string>, image: string): boolean => {
  const [reference = ''] = image.split('@');
  const colon = reference.lastIndexOf(':');
  const repository = colon > reference.lastIndexOf('/') ? reference.slice(0, colon) : reference;
  const parts = repository.split('/');
  return [1, 2, 3].some((count) => known.has(parts.slice(-count).join('/')));
};

const driverOf = (name: string, images: readonly string[]): DriverWorkload['driver'] | undefined => {
  if (name === names.cpi || images.some((image) => isAmong(cpiImages, image))) return 'cpi';
  const isCsi = name === names.csiController || name === names.csiNode;
  return isCsi || images.some((image) => isAmong(csiImages, image)) ? 'csi' : undefined;
};

const usual = new Set([
  `Deployment ${names.upstreamCsiNamespace}/${names.csiController}`,
  `DaemonSet ${names.upstreamCsiNamespace}/${names.csiNode}`,
  `DaemonSet ${names.systemNamespace}/${names.cpi}`,
  `Deployment ${names.systemNamespace}/${names.cpi}`,
]);

const managerOf = ({ metadata }: Deployment | DaemonSet): DriverWorkload['manager'] => {
  const { labels = {}, annotations = {} } = metadata;
  const keys = [...Object.keys(labels), ...Object.keys(annotations)];
  if (keys.some((key) => /^argocd\.argoproj\.io\/(tracking-id|instance)$/.test(key))) return 'Argo CD';
  if (keys.some((key) => /^(kustomize|helm)\.toolkit\.fluxcd\.io\/name$/.test(key))) return 'Flux';
  if (labels['olm.owner'] !== undefined) return 'OLM';
  const isHelm = labels['app.kubernetes.io/managed-by'] === 'Helm' || annotations['meta.helm.sh/release-name'];
  return isHelm ? 'Helm' : undefined;
};

const workloadOf = (kind: DriverWorkload['kind'], workload: Deployment | DaemonSet): readonly DriverWorkload[] => {
  const { name = '', namespace = '', labels = {}, annotations = {} } = workload.metadata;
  const images = workload.spec.template.spec.containers.map(({ image }) => image ?? '');
  const driver = driverOf(name, images);
  // Workloads that this operator manages are skipped, and so is its image test.
  const isOurs = labels[labelKeys.driver] !== undefined || name === names.imageProbe;
  if (!driver || isOurs) return [];
  const manager = managerOf(workload);
  const release = annotations['meta.helm.sh/release-name'];
  return [
    {
      driver,
      kind,
      namespace,
      name,
      images,
      isUsual: usual.has(`${kind} ${namespace}/${name}`),
      ...(manager ? { manager } : {}),
      ...(release === undefined
        ? {}
        : { helm: { namespace: annotations['meta.helm.sh/release-namespace'] ?? namespace, name: release } }),
      workload,
    },
  ];
};

/** Finds the Go drivers in any namespace, by the names of the manifests and by their images. */
export const readDriverWorkloads = async (
  kube: KubeClient,
  signal: AbortSignal,
): Promise<readonly DriverWorkload[]> => {
  const [controllers, agents] = await Promise.all([
    kube.list(deployments, { signal }),
    kube.list(daemonSets, { signal }),
  ]);
  return [
    ...controllers.items.flatMap((one) => workloadOf('Deployment', one)),
    ...agents.items.flatMap((one) => workloadOf('DaemonSet', one)),
  ];
};
