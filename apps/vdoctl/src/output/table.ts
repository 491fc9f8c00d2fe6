import { visibleLength } from './style.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Shown only with -o wide. */
  readonly wide?: boolean;
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - visibleLength(text)));

/** Columns as wide as their widest cell, three spaces apart, as kubectl prints them. */
export const alignRows = (rows: readonly (readonly string[])[]): readonly string[] => {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(0, ...rows.map((row) => visibleLength(row[index] ?? ''))),
  );
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : pad(cell, widths[index] ?? 0)))
      .join('   ')
      .trimEnd(),
  );
};

export const renderTable = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options: { readonly wide?: boolean } = {},
): readonly string[] => {
  const shown = columns.filter(({ wide = false }) => !wide || options.wide);
  return alignRows([
    shown.map(({ title }) => title.toUpperCase()),
    ...rows.map((row) => shown.map(({ value }) => value(row) || '-')),
  ]);
};
