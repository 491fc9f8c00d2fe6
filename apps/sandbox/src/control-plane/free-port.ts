import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free port of 127.0.0.1 for a program that does not support port 0. It is below the range that the kernel uses for
 * outgoing connections, so that only another test run could take it in the meantime.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(18_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port of 127.0.0.1 found between 18000 and 32000 in 50 attempts');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
