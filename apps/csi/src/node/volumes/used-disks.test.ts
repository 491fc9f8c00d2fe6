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
  await used.remember(diskUuid, []);
  expect(await used.has(diskUuid.replaceAll('-', '').toLowerCase())).toBe(true);
});

it('a disk counts as used if its note cannot be looked for', async () => {
  await writeFile(join(folder, 'used'), '');
  expect(await createUsedDisks(join(folder, 'used')).has(diskUuid)).toBe(true);
});
