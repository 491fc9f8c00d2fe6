import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSelfSigned } from '@vdo/base/self-signed';

/** A TLS proxy in front of a vCenter that adds a round trip and counts calls by name. */
export interface Meter {
  readonly port: number;
  readonly counts: Map<string, number>;
  total(): number;
  bytes(): number;
  reset(): void;
  close(): void;
}

const collect = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const nameOf = (message: IncomingMessage, body: Buffer): string => {
  const method = /<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?(\w+)/.exec(body.toString('latin1', 0, 4096))?.[1];
  const path = (message.url ?? '').split('?')[0]?.replace(/(urn|id)[:%][^/]*/g, '{id}');
  return method ?? `${message.method} ${path}`;
};

export interface MeterTarget {
  readonly port: number;
  /** Whether it serves https. Default false. */
  readonly tls?: boolean;
  readonly latencyMs: number;
}

export const startMeter = async (target: MeterTarget): Promise<Meter> => {
  const pool = { keepAlive: true, maxSockets: 512 };
  const agent = target.tls ? new TlsAgent({ ...pool, rejectUnauthorized: false }) : new Agent(pool);
  const request = target.tls ? httpsRequest : httpRequest;
  const counts = new Map<string, number>();
  let bytes = 0;
  const forward = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void => {
    const { method, url, headers } = incoming;
    const upstream = request({ host: '127.0.0.1', port: target.port, method, path: url, headers, agent }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      reply.pipe(outgoing);
    });
    upstream.on('error', () => {
      // A kept connection may end just when it is used again, which is no fault of the program that is measured.
      if (upstream.reusedSocket && !outgoing.headersSent) forward(incoming, body, outgoing);
      else outgoing.destroy();
    });
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) upstream.destroy();
    });
    upstream.end(body);
  };
  const { cert, key } = createSelfSigned({ commonName: 'meter', hosts: ['127.0.0.1'], nowMs: Date.now() });
  const server = createServer({ cert, key }, async (incoming, outgoing) => {
    const body = await collect(incoming);
    const name = nameOf(incoming, body);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    setTimeout(() => forward(incoming, body, outgoing), target.latencyMs);
  });
  // For the same reason: longer than any program keeps one.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    bytes: () => bytes,
    reset: () => {
      counts.clear();
      bytes = 0;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
