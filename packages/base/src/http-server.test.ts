import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { httpResponse } from './http.ts';
import { type HttpLimits, type HttpServer, readOnlyLimits, serveHttp } from './http-server.ts';

const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const serve = async (limits?: HttpLimits) => {
  const bodies: number[] = [];
  const server = await serveHttp({
    port: 0,
    handler: async ({ body = '' }) => {
      bodies.push(body.length);
      return httpResponse(200, 'ok');
    },
    ...(limits ? { limits } : {}),
  });
  servers.push(server);
  return { server, bodies };
};

/** Sends something, then more while the server reads; resolves with the answer and the amount that was read. */
const say = ({ port }: HttpServer, head: string, more?: Buffer): Promise<{ answer: string; taken: number }> =>
  new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let answer = '';
    const push = () => {
      if (more) while (!socket.destroyed && socket.bytesWritten < 1 << 30 && socket.write(more));
    };
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('drain', push);
    socket.on('error', () => {});
    socket.on('close', () => resolve({ answer, taken: socket.bytesWritten }));
    socket.on('connect', () => {
      socket.write(head);
      push();
      if (!more) socket.end();
    });
  });

const megabyte = Buffer.alloc(1 << 20, 'x');
const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]);

describe('a server that anyone may call', () => {
  it.each([
    ['a method that it has not', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1073741824\r\n\r\n', megabyte, 405],
    ['a long body', 'GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1073741824\r\n\r\n', megabyte, 413],
    [
      'a long body that asks first',
      'GET / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 1073741824\r\n\r\n',
      megabyte,
      413,
    ],
    ['a body of unknown length', 'GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n', chunk, 413],
  ])('refuses %s, and does not listen to the rest', async (_, head, more, status) => {
    const { server, bodies } = await serve(readOnlyLimits);
    const { answer, taken } = await say(server, head, more);
    // The answer may be lost while the rest is still being sent: what matters is that the rest was not read.
    if (answer !== '') expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(taken).toBeLessThan(64 << 20);
    expect(bodies).toEqual([]);
  });

  it.each([
    ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n', 'HTTP/1.1 405 '],
    ['GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\n', 'a request body is not accepted'],
    ['GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 'ok'],
  ])('answers %j with %j', async (head, expected) => {
    const { server } = await serve(readOnlyLimits);
    expect((await say(server, head)).answer).toContain(expected);
  });

  it('drops connections beyond its limit, and continues to serve', async () => {
    const { server } = await serve({ ...readOnlyLimits, connections: 4 });
    const idle = Array.from({ length: 12 }, () =>
      connect(server.port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    const dropped = new Promise<void>((resolve) => {
      let count = 0;
      for (const socket of idle)
        socket.on('close', () => {
          count += 1;
          if (count === 8) resolve();
        });
    });
    await dropped;
    for (const socket of idle) socket.destroy();
    const ask = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
    await expect.poll(async () => (await say(server, ask)).answer).toContain('ok');
  });
});

it('a server that accepts bodies reads one, and refuses one that becomes too long', async () => {
  const { server, bodies } = await serve({ bodyBytes: 1 << 20, connections: 16 });
  expect((await fetch(server.url, { method: 'POST', body: megabyte })).status).toBe(200);
  const { answer } = await say(server, 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n', chunk);
  if (answer !== '') expect(answer).toContain('HTTP/1.1 413 ');
  expect(bodies).toEqual([1 << 20]);
});
