import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import type { Container } from '@vdo/kube/types/core';

interface HttpProbe {
  readonly httpGet?: { readonly path?: string; readonly port: number | string; readonly scheme?: string };
}

const portOf = (container: Container, port: number | string): number =>
  typeof port === 'number' ? port : (container.ports?.find(({ name }) => name === port)?.containerPort ?? Number(port));

/** Runs a container's HTTP readiness probe once. A container without a probe is ready as soon as it runs. */
export const isReady = async (
  container: Container,
  address: string,
  options: { readonly signal: AbortSignal },
): Promise<boolean> => {
  const probe = (container.readinessProbe as HttpProbe | undefined)?.httpGet;
  if (!probe) return true;
  const scheme = (probe.scheme ?? 'HTTP').toLowerCase();
  const client = createHttpClient({
    origin: `${scheme}://${address}:${portOf(container, probe.port)}`,
    tls: { insecure: true },
    connectTimeoutMs: 1_000,
  });
  try {
    const reply = await client.transport({
      method: 'GET',
      path: probe.path ?? '/',
      headers: {},
      signal: options.signal,
    });
    await readBody(reply.body);
    return reply.status < 400;
  } catch {
    return false;
  } finally {
    await client.close();
  }
};
