import { nearest } from '../nearest.ts';
import type { ProblemList } from '../problems.ts';
import { emptyMap, type RawEntry, type RawMap, type RawValue } from './raw-value.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Variables = Readonly<Record<string, string>>;

/** Variables of the Go cloud controller manager → the key that each overrides. */
const sections: Readonly<Record<'global' | 'labels' | 'nodes', Variables>> = {
  global: {
    VSPHERE_VCENTER: 'server',
    VSPHERE_VCENTER_PORT: 'port',
    VSPHERE_USER: 'user',
    VSPHERE_PASSWORD: 'password',
    VSPHERE_DATACENTER: 'datacenters',
    VSPHERE_SECRET_NAME: 'secretName',
    VSPHERE_SECRET_NAMESPACE: 'secretNamespace',
    VSPHERE_ROUNDTRIP_COUNT: 'soapRoundtripCount',
    VSPHERE_INSECURE: 'insecureFlag',
    VSPHERE_SECRETS_DIRECTORY: 'secretsDirectory',
    VSPHERE_CAFILE: 'caFile',
    VSPHERE_THUMBPRINT: 'thumbprint',
  },
  labels: { VSPHERE_LABEL_REGION: 'region', VSPHERE_LABEL_ZONE: 'zone' },
  nodes: {
    VSPHERE_NODES_INTERNAL_NETWORK_SUBNET_CIDR: 'internalNetworkSubnetCidr',
    VSPHERE_NODES_EXTERNAL_NETWORK_SUBNET_CIDR: 'externalNetworkSubnetCidr',
    VSPHERE_NODES_INTERNAL_VM_NETWORK_NAME: 'internalVmNetworkName',
    VSPHERE_NODES_EXTERNAL_VM_NETWORK_NAME: 'externalVmNetworkName',
  },
};

/** `VCENTER_<id>_…` → the key of the vCenter that `VSPHERE_VCENTER_<id>` names. */
const vcenterVariables: Variables = {
  SERVER: 'server',
  PORT: 'port',
  USERNAME: 'user',
  PASSWORD: 'password',
  SECRET_NAME: 'secretName',
  SECRET_NAMESPACE: 'secretNamespace',
  DATACENTERS: 'datacenters',
  INSECURE: 'insecureFlag',
  ROUNDTRIP: 'soapRoundtripCount',
  CAFILE: 'caFile',
  THUMBPRINT: 'thumbprint',
  IP_FAMILY: 'ipFamily',
};

const isKnown = (name: string): boolean => Object.values(sections).some((variables) => name in variables);

/** The ID in `VSPHERE_VCENTER_<id>`. Kubernetes sets similar variables for a Service called vsphere-vcenter-…. */
const vcenterId = (name: string): string | undefined =>
  isKnown(name) || /_SERVICE_|_PORT(_|$)/.test(name) ? undefined : /^VSPHERE_VCENTER_(.+)$/.exec(name)?.[1];

const entryOf = (key: string, text: string, variable: string): RawEntry => ({
  key,
  spelled: variable,
  line: 0,
  value: { kind: 'scalar', text, line: 0 },
  variable,
});

/** The entries of the variables that are set; an empty value counts as not set. */
const entriesFrom = (env: Environment, variables: Variables, prefix = ''): readonly RawEntry[] =>
  Object.entries(variables).flatMap(([suffix, key]) => {
    const variable = `${prefix}${suffix}`;
    const text = env[variable];
    return text === undefined || text === '' ? [] : [entryOf(key, text, variable)];
  });

const override = (map: RawMap, added: readonly RawEntry[]): RawMap => ({
  ...map,
  entries: [...map.entries.filter(({ key }) => added.every((entry) => entry.key !== key)), ...added],
});

const overrideIn = (map: RawMap, section: string, added: readonly RawEntry[]): RawMap => {
  if (added.length === 0) return map;
  const present = map.entries.find(({ key }) => key === section);
  const value = present?.value.kind === 'map' ? present.value : { ...emptyMap, line: present?.line ?? 0 };
  const entry = { key: section, spelled: section, line: value.line, ...present, value: override(value, added) };
  return { ...map, entries: [...map.entries.filter((other) => other !== present), entry] };
};

const overlayVCenters = (map: RawMap, env: Environment): RawMap => {
  const ids = Object.keys(env).flatMap((name) => vcenterId(name) ?? []);
  return ids.reduce((file, id) => {
    const variable = `VSPHERE_VCENTER_${id}`;
    const name = env[variable] ?? '';
    if (name === '') return file;
    const entries = entriesFrom(env, vcenterVariables, `VCENTER_${id}_`);
    const vcenters = file.entries.find(({ key }) => key === 'vcenter')?.value;
    const inFile = vcenters?.kind === 'map' && vcenters.entries.some(({ key }) => key === name);
    const named = inFile || entries.some(({ key }) => key === 'server');
    const all = named ? entries : [entryOf('server', name, variable), ...entries];
    const parent: RawMap = vcenters?.kind === 'map' ? vcenters : emptyMap;
    return overrideIn(file, 'vcenter', overrideIn(parent, name, all).entries);
  }, map);
};

const common = 'VSPHERE_';

const reportTypos = (env: Environment, problems: ProblemList): void => {
  const known = Object.values(sections).flatMap((variables) => Object.keys(variables));
  const endings = known.map((name) => name.slice(common.length));
  for (const name of Object.keys(env)) {
    if (!name.startsWith(common) || isKnown(name) || name.startsWith('VSPHERE_VCENTER_')) continue;
    // Kubernetes sets other variables for every Service called vsphere-…: only those similar to ours are reported.
    const ending = nearest(name.slice(common.length), endings);
    if (ending === undefined) continue;
    const meant = `${common}${ending}`;
    problems.warn({
      field: name,
      message: `is an unknown variable and has no effect; did you mean ${meant}?`,
      remedy: `Rename it to ${meant} or remove it.`,
    });
  }
};

/**
 * Applies the variables of the Go cloud controller manager to a file: those without an ID to `global`, `labels`
 * and `nodes`; those of `VSPHERE_VCENTER_<id>` to that vCenter, which need not be in the file.
 */
export const overlayEnvironment = (
  file: RawValue,
  { env, problems }: { readonly env: Environment; readonly problems: ProblemList },
): RawValue => {
  reportTypos(env, problems);
  if (file.kind !== 'map') return file;
  const withSections = Object.entries(sections).reduce<RawMap>(
    (map, [section, variables]) => overrideIn(map, section, entriesFrom(env, variables)),
    file,
  );
  return overlayVCenters(withSections, env);
};
