import { VdoError } from '@vdo/base/vdo-error';
import { parseJsonPath } from './json-path.ts';
import { renderTable } from './table.ts';

/** `NODE:.node,VM:.vm` for each object of a list, as `kubectl -o custom-columns` prints it. */
export const customColumns = (spec: string, list: readonly unknown[]): string => {
  const columns = spec.split(',').map((column) => {
    const at = column.indexOf(':');
    if (at <= 0 || at === column.length - 1) {
      throw new VdoError({
        code: 'InvalidArgument',
        message: `-o custom-columns=${spec}: ${column === '' ? 'a column is empty' : `${column} has no field`}`,
        remedy: 'Use TITLE:.field for each column, such as custom-columns=NODE:.node,VM:.vm.',
      });
    }
    const read = parseJsonPath(column.slice(at + 1));
    return { title: column.slice(0, at), value: (row: unknown) => read(row) || '<none>' };
  });
  return renderTable(columns, list)
    .map((line) => `${line}\n`)
    .join('');
};
