import type { AnyObject } from '@vdo/kube/types/object';
import type { ServedResource } from '../resources/registry.ts';
import { readJsonPath } from '../schema/json-path.ts';
import type { JsonPathColumn } from '../strategies/resource-type.ts';
import { ageSince } from './age.ts';
import { ageColumn, type BuiltinColumn, builtinColumns, nameColumn } from './builtin-columns.ts';

/** What of each object goes into a row besides its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

const customCell = (column: JsonPathColumn, object: AnyObject, nowMs: number): unknown => {
  const values = readJsonPath(object, column.jsonPath);
  const [first] = values;
  if (first === undefined) return null;
  if (column.type === 'date') return ageSince(first, nowMs);
  if (column.type !== 'string') return first;
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(',');
};

const columnsOf = ({ definition, version }: ServedResource): readonly BuiltinColumn[] => {
  if (!definition.isCustom) return builtinColumns(definition.kind);
  const custom = version.columns?.map((column) => ({
    ...column,
    cell: (object: AnyObject, nowMs: number) => customCell(column, object, nowMs),
  }));
  return [nameColumn, ...(custom ?? [ageColumn])];
};

const partial = ({ metadata }: AnyObject): object => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata,
});

/** A metav1.Table of objects, as `kubectl get` asks for. */
export const tableOf = (
  served: ServedResource,
  objects: readonly AnyObject[],
  options: {
    readonly nowMs: number;
    readonly include: IncludeObject;
    readonly metadata: object;
    readonly withColumns?: boolean;
  },
): object => {
  const columns = columnsOf(served);
  const included = (object: AnyObject) =>
    options.include === 'None' ? {} : { object: options.include === 'Object' ? object : partial(object) };
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.metadata,
    columnDefinitions:
      options.withColumns === false
        ? null
        : columns.map(({ name, type, format = '', description = '', priority = 0 }) => ({
            name,
            type,
            format,
            description,
            priority,
          })),
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, options.nowMs)),
      ...included(object),
    })),
  };
};

/** A metav1.PartialObjectMetadata: for clients that look at metadata only. */
export const metadataOf = (object: AnyObject): object => partial(object);
