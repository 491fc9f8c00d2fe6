import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { notePlaces, parsePlacesNote } from './places-note.ts';

const onHost = { vcenter: 'vc1', datacenter: 'DC0', cluster: 'C0', host: 'h1' };
const places = [
  { ...onHost, node: 'n2', vm: 'worker-2', power: 'suspended' },
  { ...onHost, node: 'n1' },
  { vcenter: 'vc2', node: 'n3' },
];
/** Names as machine deployments make them: no two have their end in common. */
const suffix = (index: number, length: number): string =>
  createHash('sha512').update(`${index}`).digest('hex').repeat(2).slice(0, length);
const many = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...onHost,
    cluster: `compute-${index % 20}`,
    host: `esx-${index % 600}.frankfurt.datacenter.example.com`,
    node: `production-frankfurt-md-0-${suffix(index, length)}`,
    ...(index % 600 === 3 ? { hostNote: 'does not respond', isHostDown: true } : {}),
  }));
/** As the release before reads the note. */
const readBefore = (text: string): readonly unknown[] =>
  ((JSON.parse(text) as { readonly hosts?: readonly { readonly nodes: readonly unknown[] }[] }).hosts ?? []).flatMap(
    ({ nodes }) => nodes,
  );

describe('the note of places', () => {
  it('gives back what was noted', () => {
    const read = parsePlacesNote(JSON.stringify(notePlaces(places)));
    expect(read.places).toHaveLength(3);
    expect(read.left).toBe(0);
    for (const place of places) expect(read.places).toContainEqual(place);
  });
  it('is the same for the same places in another order', () => {
    expect(notePlaces([...places].reverse())).toEqual(notePlaces(places));
    expect(notePlaces(many(5_000, 10).reverse())).toEqual(notePlaces(many(5_000, 10)));
  });
  it('of a small cluster is read by the release before, and of a large one does it no harm', () => {
    expect(readBefore(JSON.stringify(notePlaces(places)))).toHaveLength(3);
    expect(readBefore(JSON.stringify(notePlaces(many(5_000, 10))))).toEqual([]);
  });
  it('that the release before wrote is read', () => {
    const text = '{"hosts":[{"vcenter":"vc1","host":"h1","nodes":[{"node":"n1"},{"node":"n2"}]}]}';
    expect(parsePlacesNote(text).places).toEqual([
      { vcenter: 'vc1', host: 'h1', node: 'n1' },
      { vcenter: 'vc1', host: 'h1', node: 'n2' },
    ]);
  });
  it.each([10, 24])('of 5,000 nodes with %i random letters each is whole and below 256 KiB', (length) => {
    const text = JSON.stringify(notePlaces(many(5_000, length)));
    expect(text.length).toBeLessThan(256 * 1024);
    expect(parsePlacesNote(text).places).toHaveLength(5_000);
  });
  it('never is larger than 256 KiB: it says how many nodes it leaves out, and keeps hosts that are down', () => {
    const text = JSON.stringify(notePlaces(many(20_000, 200)));
    expect(text.length).toBeLessThan(256 * 1024);
    const { places: kept, left } = parsePlacesNote(text);
    expect(kept.length).toBeGreaterThan(1_000);
    expect(kept.length + left).toBe(20_000);
    expect(kept.filter(({ isHostDown }) => isHostDown)).toHaveLength(34);
  });
  it.each([
    undefined,
    '',
    'no JSON',
    '{}',
    '{"hosts":7}',
    '{"packed":"no gzip"}',
    `{"packed":"${gzipSync('{}').toString('base64')}"}`,
  ])('that is %j means nothing', (text) => {
    expect(parsePlacesNote(text)).toEqual({ places: [], left: 0 });
  });
  it('that would fill the memory means nothing', () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' ')).toString('base64');
    expect(parsePlacesNote(JSON.stringify({ packed: bomb })).places).toEqual([]);
  });
});
