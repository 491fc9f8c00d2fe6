import { describe, expect, it, vi } from 'vitest';
import { cells } from './cells.ts';
import { disks } from './disk-rows.ts';
import { runNodeTable } from './node-table.ts';
import { runTable } from './run-table.ts';
import { shares } from './share-rows.ts';

vi.setConfig({ testTimeout: 1_800_000 });

describe('whichever error ends the first call of an operation', () => {
  it('on disks, the retry leaves what was wanted, once, and nothing else', async () => {
    expect(await runTable({ ...disks, cells })).toEqual({});
  });

  it('on shares, the same', async () => {
    expect(await runTable({ ...shares, cells })).toEqual({});
  });

  it('on Nodes, the one whose VM is gone goes, and no other', async () => {
    expect(await runNodeTable(cells)).toEqual([]);
  });
});
