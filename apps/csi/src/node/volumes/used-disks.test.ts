import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createUsedDisks } from './used-disks.ts';

const diskUuid = '6000C29a-0000-0000-0000-000000000001';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'used-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('a disk counts as used from its note on, however its UUID is written', async () => {
  const used = createUsedDisks(join(folder, 'used'));
  expect(await used.has(diskUuid)).toBe(false);
  await used.remember(diskUuid, async () => []);
  expect(await used.has(diskUuid.replaceAll('-', '').toLowerCase())).toBe(true);
});

it('a disk counts as used if its note cannot be looked for', async () => {
  await writeFile(join(folder, 'used'), '');
  expect(await createUsedDisks(join(folder, 'used')).has(diskUuid)).toBe(true);
});

it('a disk that is attached and noted meanwhile keeps its note', async () => {
  const used = createUsedDisks(join(folder, 'used'));
  const other = diskUuid.replace(/1$/, '2');
  const attached = [diskUuid];
  await used.remember(diskUuid, async () => {
    const seen = [...attached];
    attached.push(other);
    await used.remember(other, async () => attached);
    return seen;
  });
  expect(await used.has(other)).toBe(true);
});
