import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => ComponentChildren;
  /** Left out on a narrow screen. */
  readonly minor?: boolean;
  /** Only on a wide screen. */
  readonly rare?: boolean;
  readonly broad?: boolean;
  readonly number?: boolean;
}

const classOf = ({ minor, rare, broad, number }: Omit<Column<never>, 'of'>): string =>
  [minor && 'minor', rare && 'rare', broad && 'broad', number && 'number'].filter(Boolean).join(' ');

const rowHeight = 44;
/** Rows beyond the visible ones, so that scrolling shows no gaps. */
const beyond = 12;
/** Drawn before it is known how many are visible. */
const firstRows = 40;

const windowOf = (top: number, total: number): readonly [first: number, last: number] => {
  const first = Math.max(0, Math.floor(-top / rowHeight) - beyond);
  return [Math.min(first, total), Math.min(total, first + Math.ceil(innerHeight / rowHeight) + 2 * beyond)];
};

/** A cell that is cut off shows its whole text under the pointer. */
const titleCell = ({ target }: PointerEvent): void => {
  const cell = target instanceof Element ? target.closest('td, th') : null;
  if (!(cell instanceof HTMLElement)) return;
  const isCut = [cell, ...cell.querySelectorAll('a')].some((one) => one.scrollWidth > one.clientWidth + 1);
  if (isCut) cell.title = cell.innerText;
  else cell.removeAttribute('title');
};

/** A table that draws only the visible rows: tens of thousands scroll like ten. */
export const Table = <T extends { readonly key: string }>({
  rows,
  columns,
  label,
}: {
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly label: string;
}) => {
  const body = useRef<HTMLTableSectionElement>(null);
  const [, redraw] = useState(0);
  const range = useRef<readonly [number, number]>([0, firstRows]);
  useEffect(() => {
    const observe = (): void => {
      const next = windowOf(body.current?.getBoundingClientRect().top ?? 0, rows.length);
      if (next[0] === range.current[0] && next[1] === range.current[1]) return;
      range.current = next;
      redraw((count) => count + 1);
    };
    observe();
    addEventListener('scroll', observe, { passive: true });
    addEventListener('resize', observe);
    return () => {
      removeEventListener('scroll', observe);
      removeEventListener('resize', observe);
    };
  }, [rows.length]);
  const first = Math.min(range.current[0], rows.length);
  const last = Math.min(Math.max(range.current[1], firstRows), rows.length);
  const spacer = (count: number, key: string) =>
    count > 0 ? (
      <tr key={key} class="spacer">
        <td colSpan={columns.length} style={{ height: `${count * rowHeight}px` }} />
      </tr>
    ) : null;
  return (
    <div class="scroll">
      <table aria-label={label} aria-rowcount={rows.length + 1} onPointerOver={titleCell}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {spacer(first, 'above')}
          {rows.slice(first, last).map((row, index) => (
            <tr key={row.key} aria-rowindex={first + index + 2}>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.title} scope="row">
                    {column.of(row)}
                  </th>
                ) : (
                  <td key={column.title} class={classOf(column)}>
                    {column.of(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
          {spacer(rows.length - last, 'below')}
        </tbody>
      </table>
    </div>
  );
};
