import type { Row } from '../rows/place-rows.ts';
import { cornerOf, type FieldBox, type Layout, labelOf, namedCell, type PlacedBox } from './map-layout.ts';

const names = [
  'card',
  'raised',
  'line',
  'quiet',
  'ink',
  'bad',
  'bad-soft',
  'warn',
  'warn-soft',
  'cell',
  'load',
] as const;
type Palette = Readonly<Record<(typeof names)[number], string>>;

export interface Drawing<T extends Row> {
  readonly boxes: readonly FieldBox<T>[];
  readonly layout: Layout;
  /** The share of it in use, 0 to 1; undefined: not known. */
  readonly loadOf: (row: T) => number | undefined;
  /** Whether it is drawn faintly, so that the others are highlighted. */
  readonly isFaint: (row: T) => boolean;
}

const paletteOf = (element: Element): Palette => {
  const style = getComputedStyle(element);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Palette;
};

type Brush = CanvasRenderingContext2D;

/** Smaller cells show their load as a shade: a level inside them would be too small to see. */
const smallCell = 11;

const rounded = (brush: Brush, at: { readonly x: number; readonly y: number }, size: readonly [number, number]) => {
  brush.beginPath();
  brush.roundRect(at.x, at.y, size[0], size[1], Math.min(5, size[1] / 4));
};

/** Size of the names of hosts; those of nodes are smaller. */
const hostPx = 13;

/** Names of nodes differ at their end. */
const fittedEnd = (brush: Brush, text: string, width: number): string => {
  if (brush.measureText(text).width <= width) return text;
  let start = 1;
  while (start < text.length - 1 && brush.measureText(`…${text.slice(start)}`).width > width) start += 1;
  return `…${text.slice(start)}`;
};

/** The name of a large cell at its top, where a load is rarely drawn. */
const drawName = (
  brush: Brush,
  { x, y }: { readonly x: number; readonly y: number },
  { size, row, palette }: { readonly size: number; readonly row: Row; readonly palette: Palette },
): void => {
  const font = brush.font;
  brush.font = font.replace(`${hostPx}px`, '12px');
  // A triangle is narrow at its top: the name is beside it.
  brush.fillStyle = row.health === 'bad' ? palette.card : palette.ink;
  brush.fillText(fittedEnd(brush, row.name, size - 8), x + 4, y + 14);
  brush.font = font;
};

/** A healthy cell is grey; a problem has another colour and another shape. */
const drawCell = (
  brush: Brush,
  at: { readonly x: number; readonly y: number },
  what: { readonly size: number; readonly row: Row; readonly load: number | undefined; readonly palette: Palette },
): void => {
  const { size, row, load = 0, palette } = what;
  const { x, y } = at;
  switch (row.health) {
    case 'bad': {
      brush.fillStyle = palette.bad;
      brush.fillRect(x, y, size, size);
      if (size < 11) return;
      brush.strokeStyle = palette.card;
      brush.lineWidth = size / 8;
      brush.beginPath();
      const top = size >= namedCell ? 0.4 : 0.3;
      for (const [from, to] of [
        [0.3, 0.7],
        [0.7, 0.3],
      ] as const) {
        brush.moveTo(x + size * from, y + size * top);
        brush.lineTo(x + size * to, y + size * (top + 0.4));
      }
      brush.stroke();
      return;
    }
    case 'warn':
      brush.fillStyle = palette.warn;
      brush.beginPath();
      brush.moveTo(x + size / 2, y + (size >= namedCell ? 20 : 0));
      brush.lineTo(x + size, y + size);
      brush.lineTo(x, y + size);
      brush.fill();
      return;
    case 'unknown':
      brush.strokeStyle = palette.quiet;
      brush.lineWidth = 1;
      brush.setLineDash([2, 2]);
      brush.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
      brush.setLineDash([]);
      return;
    default: {
      brush.fillStyle = palette.cell;
      brush.fillRect(x, y, size, size);
      brush.fillStyle = palette.load;
      const taken = Math.round(size * Math.min(1, load));
      brush.fillRect(x, y + size - taken, size, taken);
    }
  }
};

const fitted = (brush: Brush, text: string, width: number): string => {
  if (brush.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && brush.measureText(`${text.slice(0, end)}…`).width > width) end -= 1;
  return `${text.slice(0, end)}…`;
};

const drawFrame = (
  brush: Brush,
  frame: Row,
  placed: PlacedBox,
  { palette, cell }: { palette: Palette; cell: number },
) => {
  const isIll = frame.health === 'bad' || frame.health === 'warn';
  const [tone, soft] =
    frame.health === 'bad'
      ? [palette.bad, palette['bad-soft']]
      : isIll
        ? [palette.warn, palette['warn-soft']]
        : [palette.line, palette.card];
  const [x, y, width, height] = [placed.x + 0.5, placed.y + 0.5, placed.width - 1, placed.height - 1];
  brush.fillStyle = soft;
  brush.strokeStyle = tone;
  brush.lineWidth = isIll ? 2 : 1;
  if (cell < smallCell) {
    if (isIll) brush.fillRect(x, y, width, height);
    brush.strokeRect(x, y, width, height);
  } else {
    rounded(brush, { x, y }, [width, height]);
    brush.fill();
    brush.stroke();
  }
  if (labelOf(cell) === 0) return;
  brush.fillStyle = isIll ? tone : palette.quiet;
  const note = frame.note === '' ? '' : ` · ${frame.note}`;
  brush.fillText(fitted(brush, `${frame.name}${note}`, placed.width - 20), placed.x + 10, placed.y + 20);
};

const shades = 8;

/** Small healthy cells, grouped by colour: setting a colour takes longer than drawing with it. */
const createShading = (brush: Brush, size: number, palette: Palette) => {
  const corners = new Map<number, number[]>();
  return {
    add: (
      x: number,
      y: number,
      { load = 0, isFaint }: { readonly load: number | undefined; readonly isFaint: boolean },
    ) => {
      const shade = Math.round(Math.min(1, load) * shades) + (isFaint ? shades + 1 : 0);
      const list = corners.get(shade);
      if (list) list.push(x, y);
      else corners.set(shade, [x, y]);
    },
    draw: (): void => {
      for (const [shade, list] of corners) {
        const alpha = shade > shades ? 0.22 : 1;
        const load = (shade % (shades + 1)) / shades;
        for (const [colour, part] of [
          [palette.cell, 1],
          [palette.load, load],
        ] as const) {
          if (part === 0) continue;
          brush.globalAlpha = alpha * part;
          brush.fillStyle = colour;
          for (let at = 0; at < list.length; at += 2) brush.fillRect(list[at] ?? 0, list[at + 1] ?? 0, size, size);
        }
      }
      brush.globalAlpha = 1;
    },
  };
};

/** Draws the whole field: some milliseconds for thousands of cells. */
export const drawField = <T extends Row>(canvas: HTMLCanvasElement, width: number, drawing: Drawing<T>): void => {
  const { boxes, layout, loadOf, isFaint } = drawing;
  const brush = canvas.getContext('2d');
  if (!brush) return;
  const ratio = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(Math.max(1, layout.height) * ratio);
  brush.scale(ratio, ratio);
  const palette = paletteOf(canvas);
  brush.font = `${hostPx}px ${getComputedStyle(canvas).fontFamily}`;
  const shading = createShading(brush, layout.cell, palette);
  const drawOne = (row: T, { x, y }: { readonly x: number; readonly y: number }): void => {
    const [load, faint] = [loadOf(row), isFaint(row)];
    if (row.health === 'good' && layout.cell < smallCell) {
      shading.add(x, y, { load, isFaint: faint });
      return;
    }
    brush.globalAlpha = faint ? 0.22 : 1;
    drawCell(brush, { x, y }, { size: layout.cell, row, load, palette });
    if (layout.cell >= namedCell) drawName(brush, { x, y }, { size: layout.cell, row, palette });
    brush.globalAlpha = 1;
  };
  for (const [index, { frame, cells }] of boxes.entries()) {
    const placed = layout.boxes[index];
    if (!placed) continue;
    if (frame) drawFrame(brush, frame, placed, { palette, cell: layout.cell });
    for (const [at, row] of cells.entries()) drawOne(row, cornerOf(layout, placed, at, frame !== undefined));
  }
  shading.draw();
};
