import { readFile } from 'node:fs/promises';
import { type Clock, deadline } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import { HttpFailure } from '@vdo/base/http-failure';
import { proxyFromEnv } from '@vdo/base/proxy-from-env';
import type { DocumentReaders } from './read-document.ts';

/** A server that does not answer must not block a program. */
const timeoutMs = 20_000;

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const withTimeout =
  (transport: HttpTransport, clock: Clock): HttpTransport =>
  async (request) => {
    const reason = () => new HttpFailure('timeout', `no answer within ${timeoutMs / 1000} s`);
    const limit = deadline(clock, timeoutMs, { ...(request.signal ? { parent: request.signal } : {}), reason });
    try {
      return await transport({ ...request, signal: limit.signal });
    } finally {
      limit.dispose();
    }
  };

/** Reads documents from the network, through the proxy in the environment, and from files. */
export const createDocumentReaders = (
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Pick<DocumentReaders, 'connect' | 'readFile'> => {
  const known = new Map<string, HttpTransport>();
  const connect = (origin: string): HttpTransport => {
    const proxy = proxyFromEnv(origin, env);
    const client = createHttpClient({ origin, connections: 1, ...(proxy === undefined ? {} : { proxy }) });
    return withTimeout(client.transport, clock);
  };
  return {
    connect: (origin) => {
      const transport = known.get(origin) ?? connect(origin);
      known.set(origin, transport);
      return transport;
    },
    readFile: (path) => readText(path),
  };
};
