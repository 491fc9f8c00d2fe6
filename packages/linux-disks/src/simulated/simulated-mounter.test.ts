import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSimulatedMounter } from './simulated-mounter.ts';

const { signal } = new AbortController();

describe('the simulated mounter', () => {
  let folder = '';
  let disk = '';
  const place = (name: string) => join(folder, name);
  /** As a process of the node role has it: the next one starts from what the table says. */
  const start = () => createSimulatedMounter({ tableFile: place('mounts.json'), sysfsRoot: place('sys') });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mounter-'));
    disk = place('6000c29a');
    await writeFile(disk, '');
    await mkdir(place('sys/class/block/6000c29a'), { recursive: true });
    await writeFile(place('sys/class/block/6000c29a/dev'), '259:7\n');
    await mkdir(place('staging'));
    await mkdir(place('target'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps its mounts when the process that made them ends', async () => {
    const first = start();
    await first.mount({ source: disk, target: place('staging'), fsType: 'ext4', options: [] }, { signal });
    await first.mount(
      { source: place('staging'), target: place('target'), fsType: 'bind', options: ['ro'] },
      { signal },
    );
    await writeFile(place('target/note.txt'), 'kept');

    const second = start();
    expect(await second.at(place('target'), { signal })).toMatchObject({
      device: '259:7',
      source: disk,
      fsType: 'ext4',
      options: ['ro'],
    });
    await second.unmount(place('target'), { signal });
    await second.unmount(place('staging'), { signal });
    expect(await start().at(place('target'), { signal })).toBeUndefined();
    expect(await start().at(place('staging'), { signal })).toBeUndefined();
    expect(await readFile(`${disk}.content/note.txt`, 'utf8')).toBe('kept');
  });

  it('refuses a share, which it would not keep', async () => {
    const request = { source: 'files.example:/share', target: place('target'), fsType: 'nfs4', options: [] };
    await expect(start().mount(request, { signal })).rejects.toMatchObject({ code: 'Unimplemented' });
  });
});
