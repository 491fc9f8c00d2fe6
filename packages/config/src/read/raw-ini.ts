import { type IniEntry, type IniSection, parseIni } from '../ini/parse-ini.ts';
import { nearest } from '../nearest.ts';
import type { ProblemList } from '../problems.ts';
import {
  csiGlobalKeys,
  diskKeys,
  globalKeys,
  labelKeys,
  netPermissionKeys,
  networkKeys,
  nodeKeys,
  snapshotKeys,
  vcenterKeys,
  workspaceKeys,
} from './ini-keys.ts';
import type { RawEntry, RawMap, RawValue } from './raw-value.ts';

const sectionNames = [
  'Global',
  'VirtualCenter',
  'Labels',
  'Nodes',
  'NetPermissions',
  'TopologyCategory',
  'Snapshot',
  'Workspace',
  'Disk',
  'Network',
  'LoadBalancer',
  'LoadBalancerClass',
  'Route',
  'NSXT',
  'GC',
] as const;
/** Sections of NSX-T: their keys are not checked. */
const passed: Readonly<Record<string, string>> = {
  loadbalancer: 'loadBalancer',
  loadbalancerclass: 'loadBalancerClass',
  route: 'route',
  nsxt: 'nsxt',
  gc: 'gc',
};

const translate = (entries: readonly IniEntry[], table: Readonly<Record<string, string>>): readonly RawEntry[] =>
  entries.map(({ key, value, line }) => ({
    // A key of the YAML format is not valid here, so an unknown key must not look like one.
    key: table[key.toLowerCase()] ?? `unknown ${key}`,
    spelled: key,
    line,
    value: { kind: 'scalar', text: value ?? 'true', line },
  }));

const map = (entries: readonly RawEntry[], line: number): RawMap => ({ kind: 'map', entries, line });
const entry = (key: string, value: RawValue): RawEntry => ({ key, spelled: key, line: value.line, value });
const textEntry = (key: string, text: string, line: number): RawEntry => entry(key, { kind: 'scalar', text, line });

/** Reads an INI file into the tree of the YAML format. */
export const readRawIni = (
  text: string,
  { problems, unknownKeys }: { readonly problems: ProblemList; readonly unknownKeys: 'warn' | 'refuse' },
): RawValue => {
  const sections = parseIni(text, problems);
  const named = (name: string): readonly IniSection[] =>
    sections.filter((section) => section.name.toLowerCase() === name);
  const entriesOf = (name: string): readonly IniEntry[] => named(name).flatMap(({ entries }) => entries);
  const lineOf = (name: string): number => named(name)[0]?.line ?? 1;

  for (const { name, subname, line } of sections) {
    if (!sectionNames.some((known) => known.toLowerCase() === name.toLowerCase())) {
      const meant = nearest(name, sectionNames);
      problems[unknownKeys === 'warn' ? 'warn' : 'error']({
        line,
        field: `[${name}]`,
        message: `is an unknown section and has no effect${meant ? `; did you mean [${meant}]?` : ''}`,
        remedy: meant ? `Rename it to [${meant}] or remove it.` : 'Remove it.',
      });
    } else if (name.toLowerCase() === 'virtualcenter' && !subname) {
      problems.error({
        line,
        field: '[VirtualCenter]',
        message: 'has no vCenter name',
        remedy: 'Write [VirtualCenter "host"] with the host name or IP address in double quotes.',
      });
    }
  }

  const global = entriesOf('global');
  const isCsiKey = ({ key }: IniEntry): boolean => key.toLowerCase() in csiGlobalKeys;
  const labels = entriesOf('labels');
  const isCategories = ({ key }: IniEntry): boolean => key.toLowerCase() === 'topology-categories';
  const vcenters = [...new Set(named('virtualcenter').flatMap(({ subname }) => (subname ? [subname] : [])))].map(
    (host) => {
      const own = named('virtualcenter').filter(({ subname }) => subname === host);
      const line = own[0]?.line ?? 1;
      const entries = translate(
        own.flatMap(({ entries }) => entries),
        vcenterKeys,
      );
      // The name of the section is the server unless the file sets another one.
      const server = entries.some(({ key }) => key === 'server') ? [] : [textEntry('server', host, line)];
      return { key: host, spelled: host, line, value: map([...server, ...entries], line) };
    },
  );
  const csi = [
    ...translate(global.filter(isCsiKey), csiGlobalKeys),
    ...topology(labels.filter(isCategories), named('topologycategory'), problems),
    ...netPermissions(named('netpermissions')),
    ...(named('snapshot').length > 0
      ? [entry('snapshots', map(translate(entriesOf('snapshot'), snapshotKeys), lineOf('snapshot')))]
      : []),
  ];
  const others = Object.entries(passed).flatMap(([name, key]) =>
    named(name).length > 0 ? [entry(key, map(translate(entriesOf(name), {}), lineOf(name)))] : [],
  );
  return map(
    [
      entry(
        'global',
        map(
          translate(
            global.filter((item) => !isCsiKey(item)),
            globalKeys,
          ),
          lineOf('global'),
        ),
      ),
      entry('vcenter', map(vcenters, lineOf('virtualcenter'))),
      entry(
        'labels',
        map(
          translate(
            labels.filter((item) => !isCategories(item)),
            labelKeys,
          ),
          lineOf('labels'),
        ),
      ),
      entry('nodes', map(translate(entriesOf('nodes'), nodeKeys), lineOf('nodes'))),
      entry('csi', map(csi, lineOf('global'))),
      entry('workspace', map(translate(entriesOf('workspace'), workspaceKeys), lineOf('workspace'))),
      entry('disk', map(translate(entriesOf('disk'), diskKeys), lineOf('disk'))),
      entry('network', map(translate(entriesOf('network'), networkKeys), lineOf('network'))),
      ...others,
    ],
    1,
  );
};

const topology = (
  categories: readonly IniEntry[],
  sections: readonly IniSection[],
  problems: ProblemList,
): readonly RawEntry[] => {
  const names = categories.flatMap(({ value }) => (value ?? '').split(',')).map((name) => name.trim());
  for (const { subname, line } of sections) {
    if (subname === undefined || names.includes(subname)) continue;
    problems.warn({
      line,
      field: `[TopologyCategory "${subname}"]`,
      message: 'is not in topology-categories of [Labels] and has no effect',
      remedy: `Add ${subname} to topology-categories or remove the section.`,
    });
  }
  const line = categories[0]?.line;
  if (line === undefined) return [];
  const items = names
    .filter((name) => name !== '')
    .map((name) => {
      const own = sections.filter(({ subname }) => subname === name);
      return map(
        [
          textEntry('name', name, line),
          ...translate(
            own.flatMap(({ entries }) => entries),
            { label: 'label' },
          ),
        ],
        line,
      );
    });
  return [{ key: 'topologyCategories', spelled: 'topology-categories', line, value: { kind: 'list', items, line } }];
};

const netPermissions = (sections: readonly IniSection[]): readonly RawEntry[] => {
  const line = sections[0]?.line;
  if (line === undefined) return [];
  const items = sections.map((section) =>
    map(
      [textEntry('name', section.subname ?? '', section.line), ...translate(section.entries, netPermissionKeys)],
      section.line,
    ),
  );
  return [entry('netPermissions', { kind: 'list', items, line })];
};
