import { describe, expect, it, vi } from 'vitest';
import { oneOfEachKind } from './cells.ts';
import { disks } from './disk-rows.ts';
import { runNodeTable } from './node-table.ts';
import { runTable } from './run-table.ts';
import { shares } from './share-rows.ts';

// The whole table, with every code, is in error-table.long.test.ts.
vi.setConfig({ testTimeout: 300_000 });

describe('whatever kind of error ends the first call of an operation', () => {
  it('on disks, the retry leaves what was wanted, once, and nothing else', async () => {
    expect(await runTable({ ...disks, cells: oneOfEachKind })).toEqual({});
  });

  it('on shares, the same', async () => {
    expect(await runTable({ ...shares, cells: oneOfEachKind })).toEqual({});
  });

  it('on Nodes, the one whose VM is gone goes, and no other', async () => {
    expect(await runNodeTable(oneOfEachKind)).toEqual([]);
  });

  it('and if vCenter only says that it has done it, the table sees that', async () => {
    const lie = { code: 'Internal', when: 'before' } as const;
    const seen = await runTable({ ...disks, cells: [lie], lies: true, minutes: 1 });
    expect(Object.keys(seen)).toEqual(
      expect.arrayContaining(['extend', 'changePolicy', 'deleteSnapshot', 'deleteVolume']),
    );
  });
});
