import { familyOf } from '@vdo/vsphere/wire/table/read-table';
import { typeTable } from '@vdo/vsphere/wire/table/type-table';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';
import { usedMethods } from '../vsphere-schema/used.ts';

/** What every version that is spoken has is not listed. */
const oldest = { vim: 'vim/6.5', vsan: 'vsan/vSAN_6.7U3', pbm: 'pbm/6.5', sso: 'sso/version2' };

/** Faults that say nothing by themselves. */
const plainFaults = new Set(['MethodFault', 'VimFault', 'RuntimeFault', 'DynamicData']);

const isNew = (since: string): boolean => !typeTable().knows(oldest[familyOf(since)], since);

type Entry = readonly [string, string];

const newerFields = (): readonly Entry[] =>
  wireTypes.names().flatMap((name): readonly Entry[] => {
    const facts = typeTable().types.get(name);
    const plan = wireTypes.find(name);
    if (!facts || !plan) return [];
    const fields = facts.fields.filter((field) => plan.fields.has(field.name) && field.since !== facts.since);
    const entries = [
      [name, facts.since] as const,
      ...fields.map((field) => [`${name}.${field.name}`, field.since] as const),
    ];
    return entries.filter(([, since]) => isNew(since));
  });

const newerMethods = (): readonly Entry[] =>
  usedMethods.flatMap(({ namespace, name, request }): readonly Entry[] => {
    const facts = typeTable().method(namespace, name);
    if (!facts) return [];
    const params = facts.params.filter((param) => param.name in request.fields && param.since !== facts.since);
    const entries = [
      [`${name}()`, facts.since] as const,
      ...params.map((param) => [`${name}.${param.name}`, param.since] as const),
    ];
    return entries.filter(([, since]) => isNew(since));
  });

/** Faults that the client does not know → the nearest base that it knows, where that says something. */
const faultBases = (): readonly Entry[] => {
  const { types } = typeTable();
  return [...types.values()].flatMap(({ kind, name, base }): readonly Entry[] => {
    if (kind !== 'fault' || wireTypes.find(name)) return [];
    let known: string | undefined = base;
    while (known !== undefined && !wireTypes.find(known)) known = types.get(known)?.base;
    return known === undefined || plainFaults.has(known) ? [] : [[name, known]];
  });
};

const record = (name: string, entries: readonly Entry[]): string => {
  const lines = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `  '${key}': '${value}',`);
  return `export const ${name}: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n};\n`;
};

/** Repository path → content. */
export const renderWireVersions = (): ReadonlyMap<string, string> => {
  const parents = [...typeTable().parents].map(([name, of]) => [name, of.join(' ')] as const);
  const text = [
    '// What the client needs of the type table; written by `npm run generate`. Do not edit.\n',
    `/** A type, \`Type.field\`, \`Method()\` or \`Method.parameter\` that not every version has → since which version. */\n${record('since', [...newerFields(), ...newerMethods()])}`,
    `/** A version → those it includes. */\n${record('versionParents', parents)}`,
    `/** A fault → the nearest one it extends that is known here. */\n${record('faultBases', faultBases())}`,
  ].join('\n');
  return new Map([['packages/vsphere/src/wire/gen/wire-versions.ts', text]]);
};
