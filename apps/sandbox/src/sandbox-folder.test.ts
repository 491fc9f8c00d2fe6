import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { makeSandboxFolder } from './sandbox-folder.ts';

const fail = (code: string) => async (): Promise<number> => {
  throw Object.assign(new Error(`${code}: no`), { code });
};

describe('the folder of a sandbox', () => {
  it('is made below the given one, and is gone afterwards', async () => {
    const { path, remove } = await makeSandboxFolder(tmpdir());
    expect(existsSync(path)).toBe(true);
    await remove();
    expect(existsSync(path)).toBe(false);
  });

  it('is refused without enough space', async () => {
    await expect(makeSandboxFolder(tmpdir(), async () => 12)).rejects.toMatchObject({
      code: 'SandboxFolderUnusable',
      message: `${tmpdir()} has 12 MB of free space, expected at least 200 MB`,
      remedy: expect.stringContaining('TMPDIR='),
    });
  });

  it('is refused on a full disk', async () => {
    await expect(makeSandboxFolder('/full', fail('ENOSPC'))).rejects.toMatchObject({
      code: 'SandboxFolderUnusable',
      message: 'the disk of /full is full',
    });
  });

  it.each(['/nonexistent/folder', '/proc'])('is refused where nothing can be written: %s', async (parent) => {
    await expect(makeSandboxFolder(parent, parent === '/proc' ? async () => 1_000 : undefined)).rejects.toMatchObject({
      code: 'SandboxFolderUnusable',
      message: expect.stringContaining(`cannot write to ${parent}`),
      remedy: expect.stringContaining('TMPDIR='),
    });
  });
});
