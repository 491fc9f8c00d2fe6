import { describe, expect, it } from 'vitest';
import { cellFor, cornerOf, type FieldBox, layoutOf, rowAt, spotAfter, spotAt } from './page/map-layout.ts';
import type { Health } from './rows/place-rows.ts';

const row = (name: string, health: Health = 'good') => ({ key: name, name, health, note: '' });
const hostsOf = (counts: readonly number[]): readonly FieldBox[] =>
  counts.map((count, host) => ({
    key: `h${host}`,
    frame: row(`h${host}`),
    cells: Array.from({ length: count }, (_, node) => row(`n${host}.${node}`)),
  }));

describe('the layout of a field', () => {
  it.each([
    ['names of hosts', 24, [3, 3, 1]],
    ['hosts of different load', 16, [1, 40, 2, 0, 7]],
    ['hundreds of hosts', 7, Array.from({ length: 600 }, (_, host) => 7 + (host % 3))],
    ['a host alone', 11, [120]],
  ] as const)('keeps %s apart, inside, and each cell findable', (_, cell, counts) => {
    const boxes = hostsOf(counts);
    for (const width of [280, 430, 1_600]) {
      const layout = layoutOf(boxes, width, cell);
      for (const [index, box] of layout.boxes.entries()) {
        expect(box.x + box.width).toBeLessThanOrEqual(width + 0.01);
        expect(box.y + box.height).toBeLessThanOrEqual(layout.height + 0.01);
        const next = layout.boxes[index + 1];
        if (next) expect(next.x >= box.x + box.width || next.y >= box.y + box.height).toBe(true);
        for (const at of boxes[index]?.cells.keys() ?? []) {
          const { x, y } = cornerOf(layout, box, at, true);
          expect(y + cell).toBeLessThanOrEqual(box.y + box.height);
          expect(spotAt(layout, boxes, { x: x + cell / 2, y: y + cell / 2 })).toEqual({ box: index, cell: at });
        }
        expect(spotAt(layout, boxes, { x: box.x + 1, y: box.y + 1 })).toEqual({ box: index, cell: -1 });
      }
    }
  });
  it('draws 20,000 disks of a datastore without a frame', () => {
    const boxes = [{ key: 'ds', cells: Array.from({ length: 20_000 }, (_, disk) => row(`d${disk}`)) }];
    const layout = layoutOf(boxes, 1_200, cellFor(20_000));
    const [box] = layout.boxes;
    expect(layout.height).toBeLessThan(1_000);
    const corner = box && cornerOf(layout, box, 19_999, false);
    expect(corner && spotAt(layout, boxes, corner)).toEqual({ box: 0, cell: 19_999 });
  });
});

describe('the keys on a field', () => {
  const boxes = hostsOf([2, 3]).map((box) => ({
    ...box,
    cells: box.cells.map((cell) => (cell.name === 'n1.2' ? row('n1.2', 'bad') : cell)),
  }));
  const layout = layoutOf(boxes, 400, 16);
  const walk = (...keys: readonly string[]): string | undefined => {
    let spot = { box: 0, cell: -1 };
    for (const key of keys) spot = spotAfter(key, spot, { boxes, layout }) ?? spot;
    return rowAt(boxes, spot)?.name;
  };

  it.each([
    ['ArrowRight', 'n0.0'],
    ['ArrowRight ArrowRight ArrowRight', 'n0.1'],
    ['ArrowLeft', 'h0'],
    ['ArrowDown', 'h1'],
    ['ArrowRight ArrowDown', 'n1.0'],
    ['ArrowDown ArrowDown ArrowUp', 'h0'],
    ['End', 'n1.2'],
    ['End Home', 'h0'],
    ['PageDown', 'n1.2'],
    ['PageUp', 'n1.2'],
    ['x', 'h0'],
  ])('%s leads to %s', (keys, name) => {
    expect(walk(...keys.split(' '))).toBe(name);
  });
  it('stay where they are when nothing has a problem', () => {
    const well = hostsOf([2, 3]);
    expect(spotAfter('PageDown', { box: 1, cell: 0 }, { boxes: well, layout })).toEqual({ box: 1, cell: 0 });
  });
});
