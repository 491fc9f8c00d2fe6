import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moref } from '@vdo/vsphere/wire/moref';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileIntentStore } from './file-intent-store.ts';
import type { VolumeIntent } from './volume-intent.ts';

const { signal } = new AbortController();
const intent: VolumeIntent = {
  name: 'pvc-1/with?odd*characters',
  server: 'vc.example',
  sizeMb: 10_240n,
  askedAtMs: Date.UTC(2026, 0, 1),
};
let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'intents-')), 'not', 'yet');
});
afterEach(() => rm(join(folder, '..', '..'), { recursive: true, force: true }));

describe('intents in files', () => {
  it('are found again by another process', async () => {
    await createFileIntentStore(folder).put(intent, { signal });
    const other = createFileIntentStore(folder);
    expect(await other.get(intent.name, { signal })).toEqual(intent);
    expect(await other.list({ signal })).toEqual([intent]);
  });

  it('are replaced as a whole', async () => {
    const store = createFileIntentStore(folder);
    await store.put(intent, { signal });
    const withTask = { ...intent, task: moref('Task', 'task-7') };
    await store.put(withTask, { signal });
    expect(await store.get(intent.name, { signal })).toEqual(withTask);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('are gone after removal, which may be repeated', async () => {
    const store = createFileIntentStore(folder);
    await store.put(intent, { signal });
    await store.remove(intent.name, { signal });
    await store.remove(intent.name, { signal });
    expect(await store.list({ signal })).toEqual([]);
  });

  it('are none in a folder that does not exist', async () => {
    const store = createFileIntentStore(folder);
    expect(await store.get('x', { signal })).toBeUndefined();
    expect(await store.list({ signal })).toEqual([]);
  });

  it('report a damaged file instead of forgetting its volume', async () => {
    const store = createFileIntentStore(folder);
    await store.put(intent, { signal });
    const [file = ''] = await readdir(folder);
    await writeFile(join(folder, file), '{"name":');
    await expect(store.get(intent.name, { signal })).rejects.toMatchObject({ message: expect.stringContaining(file) });
  });

  it('ignore what a crash left half written', async () => {
    const store = createFileIntentStore(folder);
    await store.put(intent, { signal });
    const [file = ''] = await readdir(folder);
    await writeFile(join(folder, `${file}.new`), '{"na');
    expect(await store.list({ signal })).toEqual([intent]);
  });
});
