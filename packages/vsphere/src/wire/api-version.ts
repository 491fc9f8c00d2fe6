import { since, versionParents } from './gen/wire-versions.ts';

/** True if something that exists since the given version exists in the version in use. */
export type Speaks = (since: string) => boolean;

const families: Readonly<Record<string, string>> = { 'urn:vim25': 'vim', 'urn:vsan': 'vsan', 'urn:pbm': 'pbm' };

const keyOf = (namespace: string, version: string): string =>
  `${families[namespace] ?? namespace}/${version.replaceAll(' ', '_')}`;

const included = new Map<string, ReadonlySet<string>>();

const versionsIn = (version: string): ReadonlySet<string> => {
  const known = included.get(version);
  if (known) return known;
  const all = new Set([version]);
  for (const parent of (versionParents[version] ?? '').split(' ')) {
    if (parent === '') continue;
    for (const one of versionsIn(parent)) all.add(one);
  }
  included.set(version, all);
  return all;
};

/** Of a version as it is published: `8.0.3.0`, `vSAN 7.0U1`. Undefined if there is none or it is unknown: then nothing is left out. */
export const speakerOf = (namespace: string, version: string | undefined): Speaks | undefined => {
  const key = keyOf(namespace, version ?? '');
  if (!(key in versionParents)) return undefined;
  const versions = versionsIn(key);
  return (brought) => versions.has(brought);
};

/** The newest version of another service that does not need a newer version of vim than this. */
export const newestIncluded = (namespace: string, vim: string): string | undefined => {
  const speaks = speakerOf('urn:vim25', vim);
  if (!speaks) return undefined;
  const family = `${families[namespace]}/`;
  const fitting = Object.keys(versionParents)
    .filter((name) => name.startsWith(family))
    .map((name) => ({ name, versions: versionsIn(name) }))
    .filter(({ versions }) => [...versions].every((one) => one.startsWith(family) || speaks(one)))
    .sort((a, b) => b.versions.size - a.versions.size);
  return fitting[0] && versionText(fitting[0].name);
};

/** For messages: `vSAN 7.0U3`. */
export const versionText = (version: string): string => version.slice(version.indexOf('/') + 1).replaceAll('_', ' ');

/** Exists in earlier versions, but is served only since this version. */
const servedSince: Readonly<Record<string, string>> = {
  'CnsCreateSnapshots()': 'vsan/vSAN_7.0U3',
  'CnsDeleteSnapshots()': 'vsan/vSAN_7.0U3',
};

/** The version that a method needs, unless every version has it. */
export const methodSince = (method: string): string | undefined => servedSince[`${method}()`] ?? since[`${method}()`];

/** The version that brought a type, unless every version has it. */
export const typeSince = (type: string): string | undefined => since[type];

/**
 * Descriptive fields that may be left out if a version does not have them. Any other newer field changes what is done: a copy
 * without its source would be an empty disk. Such a request is refused instead.
 */
export const omissible: ReadonlySet<string> = new Set([
  'CnsContainerCluster.clusterDistribution',
  'CnsContainerCluster.clusterFlavor',
  'CnsEntityMetadata.clusterId',
  'CnsKubernetesEntityMetadata.referredEntity',
  'CnsVolumeMetadata.containerClusterArray',
]);
