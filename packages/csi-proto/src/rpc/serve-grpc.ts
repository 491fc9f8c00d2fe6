import { chmod, mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { type CsiEndpoint, parseCsiEndpoint } from './csi-endpoint.ts';
import type { GrpcService } from './to-grpc-service.ts';

export interface GrpcServer {
  /** The bound port, for TCP endpoints. */
  readonly port: number;
  /** Waits at most `graceMs` (5 s by default) for running calls, then aborts them; removes the socket. */
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

// A killed process leaves its socket file behind. But the socket of a running process must not be taken over.
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
  /** See {@link parseCsiEndpoint}. */
  readonly endpoint: string;
  readonly services: readonly GrpcService[];
  readonly clock: Clock;
}

/** Serves CSI services. Takes over a socket file that a dead process left, never that of a running process. */
export const serveGrpc = async ({ endpoint, services, clock }: ServeGrpcOptions): Promise<GrpcServer> => {
  const { target, socketPath } = parseCsiEndpoint(endpoint);
  const server = new Server();
  for (const { definition, implementation } of services) server.addService(definition, implementation);
  if (socketPath !== undefined) await clearSocket(endpoint, socketPath);
  const port = await bind(server, endpoint, target);
  // A process that can connect can mount and unmount, so only the owner gets access, independent of the umask.
  if (socketPath !== undefined) await chmod(socketPath, 0o700);
  return {
    port,
    close: async ({ graceMs = 5_000 } = {}) => {
      await shutdown(server, clock, graceMs);
      if (socketPath !== undefined) await rm(socketPath, { force: true });
    },
  };
};
