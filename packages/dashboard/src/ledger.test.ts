import { describe, expect, it } from 'vitest';
import { createLedger } from './ledger.ts';
import type { Update } from './model.ts';
import { buildModel } from './source/build-model.ts';
import { clusterFacts } from './testing/cluster-facts.ts';

const model = (nodes: number, volumes: number, cluster = 'a') =>
  buildModel({ ...clusterFacts({ nodes, volumes }), cluster });
const parse = (messages: readonly string[]) => messages.map((message) => JSON.parse(message) as Update);

describe('what a reader is sent', () => {
  it('is everything first, in messages of bounded size', () => {
    const ledger = createLedger();
    ledger.take(model(10, 2_500));
    const [first, ...rest] = parse(ledger.since(undefined).messages);
    expect(first).toMatchObject({ isFirst: true, summary: { cluster: 'a' } });
    expect(rest).toHaveLength(2);
    expect(rest.every((message) => message.isFirst === undefined && message.summary === undefined)).toBe(true);
    const rows = [first, ...rest].flatMap((message) => message?.put?.volumes ?? []);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(2_500);
  });

  it('is then only the rows that changed, and the keys of those that went', () => {
    const ledger = createLedger();
    ledger.take(model(3, 3));
    const { position } = ledger.since(undefined);
    ledger.take(model(2, 4));
    const [update] = parse(ledger.since(position).messages);
    expect(update?.put?.volumes?.map(({ key }) => key)).toContain('volume/pvc-00000003-0000-4000-8000-000000000003');
    expect(update?.gone).toEqual({ nodes: ['worker-2'], hosts: ['vc1.example.com/esx-02.example.com'] });
    expect(update?.isFirst).toBeUndefined();
  });

  it('is nothing while nothing changes', () => {
    const ledger = createLedger();
    ledger.take(model(3, 3));
    const { position } = ledger.since(undefined);
    ledger.take(model(3, 3));
    expect(ledger.since(position).messages).toEqual([]);
  });

  it('does not depend on how many others read', () => {
    const ledger = createLedger();
    ledger.take(model(3, 3));
    const early = ledger.since(undefined).position;
    ledger.take(model(3, 4));
    const late = ledger.since(undefined).position;
    ledger.take(model(3, 5));
    expect(parse(ledger.since(early).messages)[0]?.put?.volumes?.length).toBeGreaterThanOrEqual(2);
    expect(parse(ledger.since(late).messages)[0]?.put?.volumes).toHaveLength(1);
  });

  it('begins anew when more has gone than it remembers', () => {
    const ledger = createLedger();
    ledger.take(model(1, 20_001));
    const { position } = ledger.since(undefined);
    ledger.take(model(1, 0));
    ledger.take(model(1, 0, 'b'));
    const [update] = parse(ledger.since(position).messages);
    expect(update).toMatchObject({ isFirst: true });
    expect(update?.gone).toBeUndefined();
  });
});
