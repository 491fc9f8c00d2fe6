import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readNodeUuid } from './node-uuid.ts';

let sys: string;
const put = (file: string, text: string) => writeFile(join(sys, 'class/dmi/id', file), text);

beforeEach(async () => {
  sys = await mkdtemp(join(tmpdir(), 'sys-'));
  await mkdir(join(sys, 'class/dmi/id'), { recursive: true });
});
afterEach(() => rm(sys, { recursive: true }));

describe('the id of the node', () => {
  it('comes from the serial, in the order vCenter writes it', async () => {
    await put('product_serial', 'VMware-42 12 9f 0a 11 22 33 44-8c 3e 55 66 77 88 99 aa\n');
    await put('product_uuid', '0a9f1242-2211-4433-8c3e-5566778899aa\n');
    expect(await readNodeUuid(sys)).toBe('42129f0a-1122-3344-8c3e-5566778899aa');
  });

  it('comes from product_uuid when the serial was replaced', async () => {
    await put('product_serial', 'my-own-serial\n');
    await put('product_uuid', '0A9F1242-2211-4433-8C3E-5566778899AA\n');
    expect(await readNodeUuid(sys)).toBe('0a9f1242-2211-4433-8c3e-5566778899aa');
  });

  it('is an error with a remedy on other machines', async () => {
    await put('product_serial', '\n');
    await expect(readNodeUuid(sys)).rejects.toMatchObject({
      code: 'NodeVmNotFound',
      remedy: expect.stringContaining('/sys'),
    });
  });
});
