import type { Row } from '../rows/place-rows.ts';

/** Things that are drawn as one: the nodes of a host, the disks of a datastore. */
export interface FieldBox<T extends Row = Row> {
  readonly key: string;
  /** The thing itself; absent: the cells are drawn without a frame. */
  readonly frame?: Row;
  readonly cells: readonly T[];
}

/** Where a box is, in pixels, and how many cells are in one of its lines. */
export interface PlacedBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
}

export interface Layout {
  readonly height: number;
  readonly cell: number;
  readonly boxes: readonly PlacedBox[];
}

/** A thing of the field: a cell of a box, or with -1 the box itself. */
export interface Spot {
  readonly box: number;
  readonly cell: number;
}

/** Cells of this size show the name of what they stand for. */
export const namedCell = 72;

/** How large a cell is drawn: the more there are, the smaller. Only large ones leave space for the names of hosts. */
export const cellFor = (cells: number, on: 'map' | 'card' = 'card'): number => {
  if (cells <= 60) return on === 'map' ? namedCell : 24;
  if (cells <= 400) return 16;
  if (cells <= 1_500) return 11;
  return cells <= 12_000 ? 7 : 5;
};

const gapOf = (cell: number): number => (cell >= namedCell ? 6 : cell >= 11 ? 3 : 1);
const paddingOf = (cell: number): number => (cell >= 24 ? 10 : cell >= 11 ? 5 : 3);
/** Height of the line with the name of a box. */
export const labelOf = (cell: number): number => (cell >= 24 ? 22 : 0);
const namedWidth = 190;

const columnsIn = (width: number, cell: number): number =>
  Math.max(1, Math.floor((width + gapOf(cell)) / (cell + gapOf(cell))));

const linesHeight = (count: number, columns: number, cell: number): number => {
  const lines = Math.max(1, Math.ceil(count / columns));
  return lines * cell + (lines - 1) * gapOf(cell);
};

const withoutFrame = ({ cells }: FieldBox, width: number, cell: number): Layout => {
  const columns = columnsIn(width, cell);
  const height = linesHeight(cells.length, columns, cell);
  return { height, cell, boxes: [{ x: 0, y: 0, width, height, columns }] };
};

/** Boxes side by side in columns of one width; each line is as high as its fullest box. */
export const layoutOf = (boxes: readonly FieldBox[], width: number, cell: number): Layout => {
  const [first] = boxes;
  if (first && !first.frame) return withoutFrame(first, width, cell);
  const [gap, padding, label] = [gapOf(cell), paddingOf(cell), labelOf(cell)];
  const most = Math.max(1, ...boxes.map(({ cells }) => cells.length));
  const side = Math.ceil(Math.sqrt(most));
  const least = Math.max(label > 0 ? namedWidth : 0, side * cell + (side - 1) * gap + 2 * padding);
  const perLine = Math.max(1, Math.floor((width + gap + 2) / (least + gap + 2)));
  const boxWidth = label > 0 ? (width - (perLine - 1) * (gap + 2)) / perLine : Math.min(width, least);
  // Full lines reach from edge to edge.
  const step = boxes.length >= perLine && perLine > 1 ? (width - boxWidth) / (perLine - 1) : boxWidth + gap + 2;
  const columns = columnsIn(boxWidth - 2 * padding, cell);
  const placed: PlacedBox[] = [];
  let y = 0;
  for (let at = 0; at < boxes.length; at += perLine) {
    const line = boxes.slice(at, at + perLine);
    const height = Math.max(...line.map(({ cells }) => linesHeight(cells.length, columns, cell))) + 2 * padding + label;
    for (const index of line.keys()) placed.push({ x: index * step, y, width: boxWidth, height, columns });
    y += height + gap + 2;
  }
  return { height: Math.max(0, y - gap - 2), cell, boxes: placed };
};

/** Upper left corner of a cell. */
export const cornerOf = ({ cell }: Layout, box: PlacedBox, index: number, isFramed: boolean) => {
  const [step, padding] = [cell + gapOf(cell), isFramed ? paddingOf(cell) : 0];
  return {
    x: box.x + padding + (index % box.columns) * step,
    y: box.y + padding + (isFramed ? labelOf(cell) : 0) + Math.floor(index / box.columns) * step,
  };
};

/** The thing at a point; undefined between the boxes. */
export const spotAt = (
  layout: Layout,
  boxes: readonly FieldBox[],
  point: { readonly x: number; readonly y: number },
): Spot | undefined => {
  const step = layout.cell + gapOf(layout.cell);
  for (const [index, box] of layout.boxes.entries()) {
    const { x, y } = point;
    if (x < box.x || y < box.y || x >= box.x + box.width || y >= box.y + box.height) continue;
    const { frame, cells } = boxes[index] ?? { cells: [] };
    const corner = cornerOf(layout, box, 0, frame !== undefined);
    const [column, line] = [Math.floor((x - corner.x) / step), Math.floor((y - corner.y) / step)];
    const cell = line * box.columns + column;
    const isCell = column >= 0 && column < box.columns && line >= 0 && cell < cells.length;
    if (isCell) return { box: index, cell };
    return frame ? { box: index, cell: -1 } : undefined;
  }
  return undefined;
};

const isIll = ({ health }: Row): boolean => health === 'bad' || health === 'warn';

/** The thing at a spot. */
export const rowAt = (boxes: readonly FieldBox[], { box, cell }: Spot): Row | undefined =>
  cell < 0 ? boxes[box]?.frame : boxes[box]?.cells[cell];

const spotsOf = (boxes: readonly FieldBox[]): readonly Spot[] =>
  boxes.flatMap(({ frame, cells }, box) => [
    ...(frame ? [{ box, cell: -1 }] : []),
    ...[...cells.keys()].map((cell) => ({ box, cell })),
  ]);

const nextIll = (boxes: readonly FieldBox[], from: Spot, step: 1 | -1): Spot => {
  const spots = spotsOf(boxes);
  const at = spots.findIndex(({ box, cell }) => box === from.box && cell === from.cell);
  for (let count = 1; count <= spots.length; count += 1) {
    const spot = spots[(at + step * count + spots.length * (count + 1)) % spots.length];
    const row = spot && rowAt(boxes, spot);
    if (spot && row && isIll(row)) return spot;
  }
  return from;
};

/** Where a key leads from a spot: along the cells of a box, from box to box, or to what has a problem. */
export const spotAfter = (
  key: string,
  from: Spot,
  field: { readonly layout: Layout; readonly boxes: readonly FieldBox[] },
): Spot | undefined => {
  const { boxes, layout } = field;
  const framed = boxes[0]?.frame !== undefined;
  const least = framed ? -1 : 0;
  const within = ({ box, cell }: Spot): Spot => {
    const inside = Math.max(0, Math.min(boxes.length - 1, box));
    return { box: inside, cell: Math.max(least, Math.min((boxes[inside]?.cells.length ?? 0) - 1, cell)) };
  };
  const columns = layout.boxes[from.box]?.columns ?? 1;
  switch (key) {
    case 'ArrowRight':
      return within({ ...from, cell: from.cell + 1 });
    case 'ArrowLeft':
      return within({ ...from, cell: from.cell - 1 });
    case 'ArrowDown':
      return framed ? within({ ...from, box: from.box + 1 }) : within({ ...from, cell: from.cell + columns });
    case 'ArrowUp':
      return framed ? within({ ...from, box: from.box - 1 }) : within({ ...from, cell: from.cell - columns });
    case 'Home':
      return within({ box: 0, cell: least });
    case 'End':
      return within({ box: boxes.length - 1, cell: Number.MAX_SAFE_INTEGER });
    case 'PageDown':
      return nextIll(boxes, from, 1);
    case 'PageUp':
      return nextIll(boxes, from, -1);
    default:
      return undefined;
  }
};
