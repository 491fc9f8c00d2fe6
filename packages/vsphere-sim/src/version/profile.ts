import { type TypeTable, typeTable } from '@vdo/vsphere/wire/table/type-table';

/** What a vCenter of one release speaks, as keys of the type table and as the names it publishes. */
export interface Profile {
  /** `8.0.3.0`. */
  readonly apiVersion: string;
  /** By namespace: the newest version there is. */
  readonly versions: Readonly<Record<string, string>>;
}

/** The vSAN version of each release; which release publishes which is not documented beyond 7.0 and assumed from the order. */
const vsanVersions: readonly (readonly [string, string])[] = [
  ['vim/6.7.3', 'vsan/vSAN_6.7U3'],
  ['vim/7.0.0.0', 'vsan/7.0'],
  ['vim/7.0.1.0', 'vsan/vSAN_7.0U1'],
  ['vim/7.0.2.0', 'vsan/vSAN_7.0U2'],
  ['vim/7.0.3.0', 'vsan/vSAN_7.0U3'],
  ['vim/8.0.0.1', 'vsan/8.0.0.1'],
  ['vim/8.0.1.0', 'vsan/8.0.0.2'],
  ['vim/8.0.2.0', 'vsan/8.0.0.3'],
  ['vim/8.0.3.0', 'vsan/8.0.0.4'],
  ['vim/9.0.0.0', 'vsan/9.0.0.0'],
  ['vim/9.1.0.0', 'vsan/9.1.0.0'],
];

export const publishedName = (version: string): string => version.slice(version.indexOf('/') + 1).replaceAll('_', ' ');

/** The versions of a family, oldest first. */
const familyIn = (table: TypeTable, family: string): readonly string[] =>
  [...table.parents.keys()]
    .filter((name) => name.startsWith(`${family}/`))
    .sort((a, b) => (table.knows(a, b) ? 1 : -1));

/** Those of the same family that a version includes, newest first. */
export const versionsBefore = (version: string): readonly string[] => {
  const table = typeTable();
  const [family = ''] = version.split('/');
  return familyIn(table, family)
    .filter((name) => name !== version && table.knows(version, name))
    .reverse();
};

/** Compares dotted versions; what is no number counts as nothing. */
const isNewer = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let i = 0; i < 4; i++) if ((left?.[i] ?? 0) !== (right?.[i] ?? 0)) return (left?.[i] ?? 0) > (right?.[i] ?? 0);
  return false;
};

/** 8.0 was published with an API of a second number from the start. */
const firstApi: Readonly<Record<string, string>> = { '8.0.0': '8.0.0.1' };

/** The release of a product version such as `8.0.3`: the newest in the table that is not newer. */
export const profileOf = (product: string): Profile => {
  const table = typeTable();
  const version = firstApi[product] ?? product;
  const isNumber = (name: string) => /^vim\/[\d.]+$/.test(name);
  const vim =
    familyIn(table, 'vim').findLast((name) => isNumber(name) && !isNewer(publishedName(name), version)) ?? 'vim/6.5';
  const vsan = vsanVersions.findLast(([since]) => table.knows(vim, since))?.[1];
  const pbm = familyIn(table, 'pbm').findLast((name) =>
    [...table.parents.keys()].every(
      (one) => !one.startsWith('vim/') || !table.knows(name, one) || table.knows(vim, one),
    ),
  );
  return {
    apiVersion: publishedName(vim),
    versions: {
      'urn:vim25': vim,
      ...(vsan === undefined ? {} : { 'urn:vsan': vsan }),
      ...(pbm === undefined ? {} : { 'urn:pbm': pbm }),
      'urn:sso': 'sso/version2',
    },
  };
};

const families: Readonly<Record<string, string>> = {
  'urn:vim25': 'vim',
  'urn:vsan': 'vsan',
  'urn:pbm': 'pbm',
  'urn:sso': 'sso',
};
/** What a caller that names no version is taken for. */
const unnamed: Readonly<Record<string, string>> = {
  'urn:vim25': 'vim/2.5u2',
  'urn:vsan': 'vsan/vSAN_6.7U3',
  'urn:pbm': 'pbm/1.0',
};

export interface Caller {
  readonly namespace: string;
  /** A key of the type table. */
  readonly version: string;
}

/** Who calls, by the SOAPAction header; a message if this release does not serve it. */
export const callerOf = (profile: Profile, action: string): Caller | string => {
  const [namespace = '', name] = action.replaceAll('"', '').split(/\/(.*)/s);
  const newest = profile.versions[namespace];
  if (newest === undefined) return `Unsupported namespace "${namespace}"`;
  // govmomi ends the action of policies in a slash, and is served methods of the newest version.
  if (name === '' && namespace === 'urn:pbm') return { namespace, version: newest };
  if (!name) return { namespace, version: unnamed[namespace] ?? newest };
  const version = `${families[namespace]}/${name.replaceAll(' ', '_')}`;
  if (typeTable().knows(newest, version)) return { namespace, version };
  // govmomi names its own newest version in its first call to any vCenter, and is answered.
  if (namespace === 'urn:vim25') return { namespace, version: newest };
  return `Request version '${namespace}/${name}' and namespace '${namespace}' are not supported`;
};
