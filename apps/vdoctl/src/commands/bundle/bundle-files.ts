import { createHash } from 'node:crypto';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { vdoApiVersion } from '@vdo/config/names';
import type { AnyObject } from '@vdo/kube/types/object';
import type { ImageRef, Release } from '@vdo/releases/matrix';
import { signMatrix } from '@vdo/releases/matrix-signature';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { manifestYaml } from '@vdo/releases/render/shared/manifest-yaml';
import { stringify } from 'yaml';
import { operatorObjects } from '../../shared/operator/operator-objects.ts';
import { type ChosenMatrix, matrixLine } from '../../shared/releases/matrix-in-use.ts';
import { installSteps } from '../../shared/releases/steps.ts';
import { pickFor, type World } from '../../shared/releases/world.ts';
import { type BundleImage, collectImages } from './images.ts';
import type { Sources } from './mirror-script.ts';
import { bundleReadme } from './readme.ts';

export interface BundleFile {
  readonly path: string;
  readonly text: string;
}

/** The index of a bundle: it lists all other files. */
export interface BundleIndex {
  readonly schemaVersion: 1;
  readonly vdoctl: string;
  readonly registry: string;
  readonly kubernetes: string;
  readonly matrix: { readonly serial: number; readonly source: string; readonly signed: boolean };
  readonly releases: readonly { readonly driver: string; readonly distribution: string; readonly version: string }[];
  readonly images: readonly BundleImage[];
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

export const indexPath = 'bundle.json';
/** The signature of the index, which contains the checksums of all files. */
export const indexSignaturePath = 'bundle.json.sig';
export const matrixPath = 'matrix/matrix.json';
/** The name of the matrix ConfigMap in the air-gapped cluster. */
const matrixConfigMap = 'compatibility-matrix';
export const signaturePath = 'matrix/matrix.json.sig';

export interface BundleInput {
  readonly world: World;
  /** The signed matrix, byte for byte, if it was signed. */
  readonly signed?: { readonly text: string; readonly signature: string };
  readonly registry: string;
  readonly namespace: string;
  readonly operator: { readonly image: string; readonly version: string };
  readonly sources: Sources;
  readonly vdoctl: string;
  /** Files that say which images the bundle carries. Default: it carries none. */
  readonly carried?: readonly BundleFile[];
  /** Private key (PEM) that signs the whole bundle. Absent: the bundle is not signed. */
  readonly signingKey?: string;
}

export const sha256Of = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const matrixFiles = ({ signed, world }: BundleInput): readonly BundleFile[] =>
  signed
    ? [
        { path: matrixPath, text: signed.text },
        { path: signaturePath, text: signed.signature },
      ]
    : [{ path: matrixPath, text: `${JSON.stringify(world.chosen.matrix, undefined, 2)}\n` }];

const resourceYaml = (spec: VSphereDriversSpec): string =>
  stringify({
    apiVersion: vdoApiVersion,
    kind: 'VSphereDrivers',
    metadata: { name: 'cluster' },
    spec,
  });

/** The resource for the air-gapped cluster: images from the mirror, and only releases whose images are in the bundle. */
const specFor = ({ world, registry, signed }: BundleInput, releases: readonly Release[]): VSphereDriversSpec => {
  const { spec } = world.resource;
  const { matrix: _, ...updates } = spec.updates;
  return {
    ...spec,
    images: { ...spec.images, registry },
    updates: {
      ...updates,
      policy: 'Pinned',
      versions: Object.fromEntries(releases.map(({ driver, version }) => [driver, version])),
      ...(signed ? { matrix: { configMap: { name: matrixConfigMap, key: 'matrix.json' } } } : {}),
    },
  };
};

const driverFiles = (objects: readonly AnyObject[], spec: VSphereDriversSpec): readonly BundleFile[] =>
  installSteps(objects, { spec, withCredentials: false }).flatMap(({ file, objects: members }) =>
    file === undefined ? [] : [{ path: `manifests/drivers/${file}`, text: manifestYaml(members) }],
  );

const refsOf = (releases: readonly Release[], operator: ImageRef): readonly ImageRef[] => [
  operator,
  ...releases.flatMap(({ images, sidecars = {} }) => [...Object.values(images), ...Object.values(sidecars)]),
];

const releasesOf = ({ world }: Pick<BundleInput, 'world'>): readonly Release[] =>
  [pickFor(world, 'cpi'), pickFor(world, 'csi')].flatMap((release) => release ?? []);

/** Where the images of the operator and of the native drivers are: those of their sidecars are not ours. */
export const ownRepositories = (input: Pick<BundleInput, 'world' | 'operator'>): readonly string[] => [
  input.operator.image,
  ...releasesOf(input)
    .filter(({ distribution }) => distribution === 'Native')
    .flatMap(({ images }) => Object.values(images).map(({ repository }) => repository)),
];

const headlineOf = (releases: readonly Release[], kubernetes: string): string =>
  `${releases.map(({ distribution, driver, version }) => `${distribution} ${driver.toUpperCase()} ${version}`).join(', ')} for Kubernetes ${kubernetes}`;

/** All files of the bundle but the blobs of its images. The same input gives the same files. */
export const bundleFiles = (
  input: BundleInput,
): { readonly index: BundleIndex; readonly files: readonly BundleFile[] } => {
  const { world, registry, operator } = input;
  const chosen: ChosenMatrix = world.chosen;
  const [cpi, csi] = [pickFor(world, 'cpi'), pickFor(world, 'csi')];
  const releases = releasesOf(input);
  const spec = specFor(input, releases);
  const drivers = renderDrivers({
    spec,
    releases: { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) },
    accounts: world.accounts,
    driverAccounts: world.driverAccounts,
    namespace: input.namespace,
  });
  const operatorManifest = operatorObjects({ ...operator, registry, replicas: 1 });
  const operatorRef = { repository: operator.image, tag: operator.version };
  const images = collectImages([...operatorManifest, ...drivers], refsOf(releases, operatorRef), registry);
  const readme = bundleReadme({
    headline: headlineOf(releases, world.kubernetesVersion),
    matrix: matrixLine(chosen),
    isSigned: input.signed !== undefined,
    isBundleSigned: input.signingKey !== undefined,
    isCarried: input.carried !== undefined,
    namespace: input.namespace,
    matrixConfigMap,
    operatorVersion: operator.version,
    operatorImage: operator.image,
    vdoRepositories: ownRepositories(input),
    images,
    registry,
    sources: input.sources,
  });
  const files: readonly BundleFile[] = [
    ...matrixFiles(input),
    ...(input.carried ?? []),
    { path: 'README.md', text: readme },
    { path: 'drivers.yaml', text: resourceYaml(spec) },
    { path: 'images.txt', text: images.map(({ mirror }) => `${mirror}\n`).join('') },
    { path: 'manifests/operator.yaml', text: manifestYaml(operatorManifest) },
    ...driverFiles(drivers, spec),
  ].sort((left, right) => (left.path < right.path ? -1 : 1));
  const index: BundleIndex = {
    schemaVersion: 1,
    vdoctl: input.vdoctl,
    registry,
    kubernetes: world.kubernetesVersion,
    matrix: { serial: chosen.matrix.serial, source: chosen.source, signed: input.signed !== undefined },
    releases: releases.map(({ driver, distribution, version }) => ({ driver, distribution, version })),
    images,
    files: files.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text), sha256: sha256Of(text) })),
  };
  const text = `${JSON.stringify(index, undefined, 2)}\n`;
  const { signingKey } = input;
  const signatures =
    signingKey === undefined ? [] : [{ path: indexSignaturePath, text: signMatrix(text, [signingKey]) }];
  return { index, files: [{ path: indexPath, text }, ...signatures, ...files] };
};
