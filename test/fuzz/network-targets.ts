import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { createSystemClock } from '@vdo/base/clock';
import { httpResponse } from '@vdo/base/http';
import { readOnlyLimits, serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { Controller, CreateVolumeRequestSchema } from '@vdo/csi-proto/gen/csi-pb';
import { createCsiClient } from '@vdo/csi-proto/rpc/csi-client';
import { createOperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { serveGrpc } from '@vdo/csi-proto/rpc/serve-grpc';
import { toGrpcService } from '@vdo/csi-proto/rpc/to-grpc-service';
import type { FuzzTarget } from './fuzz.ts';

const clock = createSystemClock();

/**
 * Sends bytes and hangs up when nothing more comes back; gives what did. `probe` is answered by the same server: on a busy machine
 * silence alone does not say that the server has read what was sent before.
 */
const converse = (socket: Socket, bytes: Uint8Array, probe: () => Promise<unknown>): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const answered: Buffer[] = [];
    socket.on('data', (chunk) => answered.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(answered)));
    // Half a request is left as it is: the server must not wait for the rest with anything but a timer.
    socket.write(bytes);
    socket.setTimeout(50, () => void probe().then(() => socket.destroy(), reject));
  });

const requests = [
  'GET /healthz?verbose HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer obviously-fake\r\n\r\n',
  'GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.1\r\nHost: b\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n',
].map((text) => Buffer.from(text));

const httpTarget = async (): Promise<FuzzTarget> => {
  const server = await serveHttp({
    port: 0,
    limits: readOnlyLimits,
    // As the health server does: whatever the path is, it is read as an address.
    handler: async ({ path }) => httpResponse(200, new URL(path, 'http://server').pathname),
  });
  return {
    name: 'HTTP',
    seeds: requests,
    pieces: [
      '\r\n',
      '\n',
      ': ',
      'Content-Length: ',
      'Transfer-Encoding: ',
      'HTTP/9.9',
      '%2e%2e/',
      '//',
      '\r\n\r\n',
      '?',
    ],
    read: async (bytes) => {
      const probe = async () => {
        if ((await fetch(`${server.url}/healthz`)).status !== 200) throw new Error('it does not answer any more');
      };
      const answer = await converse(connect(server.port, '127.0.0.1'), bytes, probe);
      await probe();
      return /^HTTP\/1\.1 (200|405) /.test(answer.toString('latin1'));
    },
    close: server.close,
  };
};

const frames = { data: 0, headers: 1, settings: 4 } as const;

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

const frame = (type: number, flags: number, stream: number, payload: Uint8Array): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

const literal = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);

/** A whole connection: the preface, empty settings, and one call whose headers are not compressed. */
const callOf = (message: Uint8Array): Buffer => {
  const headers = Buffer.concat([
    literal(':method', 'POST'),
    literal(':scheme', 'http'),
    literal(':path', '/csi.v1.Controller/CreateVolume'),
    literal(':authority', 'localhost'),
    literal('content-type', 'application/grpc'),
    literal('te', 'trailers'),
  ]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([
    preface,
    frame(frames.settings, 0, 0, Buffer.alloc(0)),
    frame(frames.headers, 4, 1, headers),
    frame(frames.data, 1, 1, Buffer.concat([prefix, message])),
  ]);
};

const request = toBinary(
  CreateVolumeRequestSchema,
  create(CreateVolumeRequestSchema, {
    name: 'pvc-1',
    parameters: { storagepolicyname: 'gold', 'csi.storage.k8s.io/fstype': 'ext4' },
    capacityRange: { requiredBytes: 1n << 30n },
    accessibilityRequirements: { requisite: [{ segments: { zone: 'a' } }] },
  }),
);

const grpcTarget = async (): Promise<FuzzTarget> => {
  const folder = mkdtempSync(join(tmpdir(), 'fz-'));
  const path = join(folder, 'csi.sock');
  const life = new AbortController();
  const observer = createOperationObserver({ clock, logger: silentLogger, metrics: createMetrics() });
  let made = 0;
  const handlers = {
    createVolume: async () => {
      made += 1;
      return {};
    },
  };
  const services = [toGrpcService(Controller, handlers, { observer, lifetime: life.signal })];
  const server = await serveGrpc({ endpoint: `unix://${path}`, services, clock });
  const client = createCsiClient(Controller, `unix:${path}`);
  return {
    name: 'gRPC',
    // Frames, and the message within sound frames.
    seeds: [callOf(request), request, request],
    pieces: ['\0', '\0\0\0\u0001', 'application/grpc', '\u0001\u0004', '\u000a\u0001', '\u0012\u007f', 'x'.repeat(9)],
    read: async (bytes) => {
      let probes = 0;
      const probe = async () => {
        probes += 1;
        await client.createVolume({});
      };
      const before = made;
      const isWhole = Buffer.from(bytes).subarray(0, 3).equals(preface.subarray(0, 3));
      // What is longer than a frame may be is refused anyway.
      await converse(connect(path), isWhole ? bytes : callOf(bytes.subarray(0, 16_000)), probe);
      const handled = made > before + probes;
      await probe();
      return handled;
    },
    close: async () => {
      life.abort();
      client.close();
      await server.close({ graceMs: 100 });
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** What reads from connections, as servers on sockets of their own. */
export const networkTargets = (): Promise<readonly FuzzTarget[]> => Promise.all([httpTarget(), grpcTarget()]);
