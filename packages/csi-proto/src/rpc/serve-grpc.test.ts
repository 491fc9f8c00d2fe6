import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { expect, it } from 'vitest';
import { serveGrpc } from './serve-grpc.ts';

it('lets the owner of its socket connect alone, whatever the umask is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sg-'));
  const path = join(folder, 'csi.sock');
  const server = await serveGrpc({ endpoint: `unix://${path}`, services: [], clock: createSystemClock() });
  try {
    expect(statSync(path).isSocket()).toBe(true);
    expect((statSync(path).mode & 0o777).toString(8)).toBe('700');
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
