import { chmod, mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { type CsiEndpoint, parseCsiEndpoint } from './csi-endpoint.ts';
import type { GrpcService } from './to-grpc-service.ts';

export interface GrpcServer {
  /** Port that was bound, for TCP endpoints. */
  readonly port: number;
  /** Lets running calls end, at most `graceMs` (default 5 s), then drops them; removes the socket. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

const someoneListens = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    const finish = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });

const listenFailed = (endpoint: string, observed: string, cause?: unknown): VdoError =>
  new VdoError({
    code: 'ListenFailed',
    message: `cannot serve CSI on ${endpoint}: ${observed}`,
    remedy: 'Stop the other process or use another --csi-endpoint. The directory of the socket must be writable.',
    cause,
  });

// A killed process leaves its socket file behind; a living one must not lose it to us.
const clearSocket = async (endpoint: string, path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  if (await someoneListens(path)) throw listenFailed(endpoint, 'another process listens there');
  await rm(path, { force: true });
};

const bind = (server: Server, endpoint: string, target: CsiEndpoint['target']): Promise<number> =>
  new Promise((resolve, reject) =>
    server.bindAsync(target, ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(listenFailed(endpoint, error.message, error)) : resolve(port),
    ),
  );

const shutdown = (server: Server, clock: Clock, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.schedule(() => server.forceShutdown(), graceMs);
    server.tryShutdown(() => {
      cancel();
      resolve();
    });
  });

export interface ServeGrpcOptions {
  /** As {@link parseCsiEndpoint} reads it. */
  readonly endpoint: string;
  readonly services: readonly GrpcService[];
  readonly clock: Clock;
}

/** Serves CSI services; takes over a socket file that a dead process left, never one of a living process. */
export const serveGrpc = async ({ endpoint, services, clock }: ServeGrpcOptions): Promise<GrpcServer> => {
  const { target, socketPath } = parseCsiEndpoint(endpoint);
  const server = new Server();
  for (const { definition, implementation } of services) server.addService(definition, implementation);
  if (socketPath !== undefined) await clearSocket(endpoint, socketPath);
  const port = await bind(server, endpoint, target);
  // Whoever may connect may mount and unmount: its owner alone, whatever the umask.
  if (socketPath !== undefined) await chmod(socketPath, 0o700);
  return {
    port,
    close: async ({ graceMs = 5_000 } = {}) => {
      await shutdown(server, clock, graceMs);
      if (socketPath !== undefined) await rm(socketPath, { force: true });
    },
  };
};
