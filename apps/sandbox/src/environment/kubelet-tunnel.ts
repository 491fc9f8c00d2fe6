import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '@vdo/base/clock';
import { createSelfSigned } from '@vdo/base/self-signed';
import { parseLogQuery } from '../logs/log-query.ts';
import { readPodLog } from '../logs/pod-logs.ts';

/** The kubelet port that an API server uses if a node reports none. */
const kubeletPort = '10250';

/**
 * Pods listen on addresses 127.a.b.n, which an API server refuses to proxy to. So it is given 10.a.b.n instead, and its
 * connections to these addresses come through the tunnel.
 */
export const shownAddress = (address: string): string => address.replace(/^127\./, '10.');
const listeningAddress = (address: string): string => address.replace(/^10\./, '127.');

/** Configures kube-apiserver to reach nodes and pods through the tunnel. */
export const egressConfig = (socketPath: string): string =>
  JSON.stringify({
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [
      {
        name: 'cluster',
        connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: socketPath } } },
      },
    ],
  });

/** The part of the kubelet API that the sandbox has: container logs. */
const serveKubelet =
  (logFolder: string, clock: Clock) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'https://kubelet');
    const [, , pod = '', container = ''] = /^\/containerLogs\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(url.pathname) ?? [];
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the reader has disconnected')));
    const query = parseLogQuery(container, url.searchParams);
    const log = pod === '' ? undefined : readPodLog(logFolder, pod, query, { clock, signal: gone.signal });
    if (log) {
      response.writeHead(200, { 'content-type': 'text/plain' });
      // Send the headers at once, even if a followed log is silent.
      response.flushHeaders();
      return pipeline(Readable.from(log), response);
    }
    const what = query.previous ? 'previous terminated container' : 'container';
    response.writeHead(pod === '' ? 404 : 400, { 'content-type': 'text/plain' });
    response.end(pod === '' ? 'not found' : `${what} "${container}" in pod "${pod}" not found`);
    return undefined;
  };

/** The kubelets of all nodes and the connection to all pods, behind one socket that only this user can open. */
export const openKubeletTunnel = async (options: {
  readonly socketPath: string;
  readonly logFolder: string;
  readonly clock: Clock;
}): Promise<{ close(): Promise<void> }> => {
  const { cert, key } = createSelfSigned({
    commonName: 'kubelet',
    hosts: ['kubelet'],
    nowMs: options.clock.now(),
  });
  const serve = serveKubelet(options.logFolder, options.clock);
  const kubelet = createTlsServer({ cert, key }, (request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    // A broken connection is closed, so that the other end notices.
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    return socket;
  };
  const tunnel = createServer();
  tunnel.on('connection', keep);
  tunnel.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const { hostname, port } = new URL(`http://${request.url}`);
    const established = () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    if (port === kubeletPort) {
      established();
      kubelet.emit('connection', socket);
      return;
    }
    const pod = keep(connect(Number(port || 80), listeningAddress(hostname)));
    pod.once('connect', () => {
      established();
      socket.pipe(pod).pipe(socket);
    });
    pod.once('close', () => socket.destroy());
    socket.once('close', () => pod.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    tunnel.once('error', reject);
    tunnel.listen(options.socketPath, resolve);
  });
  return {
    close: () =>
      new Promise<void>((resolve) => {
        tunnel.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
