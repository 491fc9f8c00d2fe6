import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Row } from '../rows/place-rows.ts';
import { useTheme, useWidth } from './canvas-hooks.ts';
import { drawField } from './map-draw.ts';
import {
  cornerOf,
  type FieldBox,
  type Layout,
  labelOf,
  layoutOf,
  rowAt,
  type Spot,
  spotAfter,
  spotAt,
} from './map-layout.ts';

export interface FieldProps<T extends Row> {
  /** The same array while nothing in it changes: only then is nothing drawn again. */
  readonly boxes: readonly FieldBox<T>[];
  readonly label: string;
  /** Side of a cell in pixels. */
  readonly cell: number;
  readonly hrefOf: (row: Row) => string;
  /** The details of a thing, in lines. */
  readonly linesOf: (row: Row) => readonly string[];
  readonly loadOf?: (row: T) => number | undefined;
  readonly isFaint?: (row: T) => boolean;
}

const words = { good: '', warn: 'warning', bad: 'problem', unknown: 'unknown' } as const;
const notFaint = (): boolean => false;
const noLoad = (): undefined => undefined;

const frameOfSpot = (layout: Layout, boxes: readonly FieldBox[], { box, cell }: Spot) => {
  const placed = layout.boxes[box];
  if (!placed) return undefined;
  if (cell >= 0)
    return {
      ...cornerOf(layout, placed, cell, boxes[box]?.frame !== undefined),
      width: layout.cell,
      height: layout.cell,
    };
  // The name of a host where it is drawn, the whole box where it would not fit.
  return { ...placed, height: labelOf(layout.cell) || placed.height };
};

const px = (value: number): string => `${value}px`;

interface ActiveProps {
  readonly id: string;
  readonly spot: Spot;
  readonly frame: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly row: Row;
  readonly href: string;
  readonly lines: readonly string[];
}

/** The thing under the pointer or the keyboard: a real link over the drawing, which can be opened, copied and dragged as any other. */
const Active = ({ id, spot, frame, row, href, lines }: ActiveProps) => (
  <td id={id} aria-colindex={spot.cell + 2}>
    <a
      class="here"
      tabIndex={-1}
      href={href}
      style={{ left: px(frame.x), top: px(frame.y), width: px(frame.width), height: px(frame.height) }}
    >
      <span class="hidden">{[row.name, words[row.health], ...lines].filter((part) => part !== '').join(', ')}</span>
    </a>
  </td>
);

const Peek = ({ frame, row, lines, width }: ActiveProps & { readonly width: number }) => {
  const side =
    frame.x > width / 2
      ? { right: px(Math.max(0, width - frame.x - frame.width)) }
      : { left: px(Math.max(0, frame.x)) };
  return (
    <div class={`peek ${row.health}`} aria-hidden="true" style={{ top: px(frame.y + frame.height + 6), ...side }}>
      <b>{row.name}</b>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
};

/**
 * Thousands of things, drawn on a canvas. For the keyboard and for screen readers it is a grid with a row for each box: arrow keys go
 * from thing to thing, Page Up and Page Down from problem to problem, Enter opens.
 */
export const Field = <T extends Row>(props: FieldProps<T>) => {
  const { boxes, label, cell, hrefOf, linesOf, loadOf = noLoad, isFaint = notFaint } = props;
  const holder = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [spot, setSpot] = useState<Spot>();
  const width = useWidth(holder);
  const theme = useTheme();
  const id = useId();
  const layout = useMemo(() => layoutOf(boxes, Math.max(40, width), cell), [boxes, width, cell]);
  // The colours come from the theme.
  useLayoutEffect(() => {
    if (canvas.current && width > 0) drawField(canvas.current, width, { boxes, layout, loadOf, isFaint });
  }, [boxes, layout, width, theme, loadOf, isFaint]);

  const row = spot && rowAt(boxes, spot);
  const frame = spot && frameOfSpot(layout, boxes, spot);
  const first = { box: 0, cell: boxes[0]?.frame ? -1 : 0 };
  const point = (event: PointerEvent): void => {
    const { left = 0, top = 0 } = canvas.current?.getBoundingClientRect() ?? {};
    const found = spotAt(layout, boxes, { x: event.clientX - left, y: event.clientY - top });
    if (found?.box !== spot?.box || found?.cell !== spot?.cell) setSpot(found);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && row) location.hash = hrefOf(row);
    const next = spotAfter(event.key, spot ?? first, { boxes, layout });
    if (!next) return;
    event.preventDefault();
    setSpot(next);
  };
  const active = spot && row && frame && { id, spot, frame, row, href: hrefOf(row), lines: linesOf(row) };
  return (
    <div class="field" ref={holder}>
      <canvas ref={canvas} style={{ height: px(layout.height) }} />
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA allows it of a table
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={boxes.length}
        aria-colcount={-1}
        aria-activedescendant={active ? id : undefined}
        onPointerMove={point}
        onPointerLeave={() => setSpot(undefined)}
        onKeyDown={press}
        onFocus={() => setSpot((before) => before ?? first)}
        onBlur={() => setSpot(undefined)}
      >
        <tbody>
          <tr aria-rowindex={(spot?.box ?? 0) + 1}>
            {active ? (
              <Active {...active} />
            ) : (
              <td>
                <span class="hidden">{boxes.length === 0 ? 'Empty' : 'Use the arrow keys to move'}</span>
              </td>
            )}
          </tr>
        </tbody>
      </table>
      {active ? <Peek {...active} width={width} /> : ''}
    </div>
  );
};
