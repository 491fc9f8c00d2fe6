import type { HttpTransport } from '@vdo/base/http';
import { createHttpClient, type HttpClient } from '@vdo/base/http-client';
import type { KubeClient } from './client.ts';
import { createKubeClient, type KubeClientOptions } from './create-client.ts';
import type { KubeConnection } from './kube-config/kube-connection.ts';
import { type KubeConfigOptions, loadKubeConfig } from './kube-config.ts';

export interface ConnectKubeOptions
  extends KubeConfigOptions,
    Pick<KubeClientOptions, 'fieldManager' | 'userAgent' | 'qps' | 'burst' | 'timeoutMs' | 'metrics'> {
  /** Maximum number of sockets; each watch uses one. Default 128. */
  readonly connections?: number;
  /** Called when a request is sent; the function it returns is called with the result. */
  readonly onRequest?: () => (ended: 'answered' | 'failed') => void;
}

/** A connected client with the address of its server. */
export interface ConnectedKubeClient extends KubeClient {
  /** `https://host:port`. */
  readonly server: string;
  /** The namespace of the context, or of the pod. */
  readonly namespace: string | undefined;
}

// Rejected credentials are read again, but not at the rate of the requests if the server rejects all of them.
const minRefreshIntervalMs = 10_000;

/** Connects to the API server of a kubeconfig or of the pod. Only reads files and runs a credential plugin; sends nothing yet. */
export const connectKube = async (options: ConnectKubeOptions): Promise<ConnectedKubeClient> => {
  const { clock, connections = 128 } = options;
  const open = (connection: KubeConnection): { connection: KubeConnection; http: HttpClient } => {
    const { origin, tls, proxy } = connection;
    return { connection, http: createHttpClient({ origin, tls, connections, ...(proxy && { proxy }) }) };
  };
  let current = open(await loadKubeConfig(options));
  let refreshedAtMs = Number.NEGATIVE_INFINITY;

  const transport: HttpTransport = async (request) => {
    const report = options.onRequest?.();
    try {
      const response = await current.http.transport(request);
      report?.('answered');
      return response;
    } catch (error) {
      report?.('failed');
      throw error;
    }
  };
  // Certificates and tokens are renewed while the program runs; a new certificate needs new connections.
  const refreshCredentials = async (): Promise<boolean> => {
    if (clock.monotonicMs() - refreshedAtMs < minRefreshIntervalMs) return false;
    refreshedAtMs = clock.monotonicMs();
    const connection = await loadKubeConfig(options);
    const previous = current;
    const sameTls = JSON.stringify(connection.tls) === JSON.stringify(previous.connection.tls);
    current = sameTls ? { connection, http: previous.http } : open(connection);
    if (!sameTls) await previous.http.close();
    return true;
  };

  const { origin, basePath, namespace } = current.connection;
  const client = createKubeClient({
    ...options,
    transport,
    server: origin,
    basePath,
    authHeaders: () => current.connection.authHeaders(),
    refreshCredentials,
    onClose: () => current.http.close(),
  });
  return { ...client, server: origin, namespace };
};
