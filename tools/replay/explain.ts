import { type TypeTable, typeTable } from '@vdo/vsphere/wire/table/type-table';
import { profileOf } from '@vdo/vsphere-sim/version/profile';

interface Part {
  readonly since: string;
  readonly mayBeAbsent: boolean;
}

/**
 * What the table says about each part of a path (`returnval.volumes.backingObjectDetails(CnsBlockBackingDetails)`): the method, the types
 * that the reply names, and their properties. Undefined if it does not have one of them.
 */
const partsOf = (
  table: TypeTable,
  { method, namespace }: { readonly method: string; readonly namespace: string },
  path: string,
): readonly Part[] | undefined => {
  const facts = table.method(namespace, method);
  if (!facts) return undefined;
  const { since, result } = facts;
  const parts: Part[] = [{ since, mayBeAbsent: result.isOptional || result.isArray }];
  let { type } = result;
  for (const [index, part] of path.split('.').entries()) {
    const [, name = '', named] = /^([^(]{0,128})(?:\(([^)]{0,128})\))?$/.exec(part) ?? [];
    if (index > 0 && !type.startsWith('ArrayOf')) {
      const field = table.fieldsOf(type).find((one) => one.name === name);
      if (!field) return undefined;
      parts.push({ since: field.since, mayBeAbsent: field.isOptional || field.isArray });
      type = field.type;
    } else if (index > 0) type = type.slice('ArrayOf'.length);
    type = named ?? type;
    const named_ = table.types.get(type);
    if (named_) parts.push({ since: named_.since, mayBeAbsent: false });
  }
  return parts;
};

const hasIn = (table: TypeTable, release: string, since: string): boolean =>
  Object.values(profileOf(release).versions).some((version) => table.knows(version, since));

/** Why two vCenters answer one call differently; undefined if the published types do not tell. */
export const explainPath = (
  call: { readonly method: string; readonly namespace: string },
  path: string,
  releases: readonly string[],
): string | undefined => {
  const table = typeTable();
  const parts = partsOf(table, call, path) ?? [];
  for (const { since } of parts) {
    const older = releases.find((release) => !hasIn(table, release, since));
    if (older !== undefined) return `it is there since ${since.replaceAll('_', ' ')}, and ${older} is older`;
  }
  if (path !== '' && parts.some(({ mayBeAbsent }) => mayBeAbsent))
    return 'the published types let it be absent: what there is on the vCenter decides';
  return undefined;
};
