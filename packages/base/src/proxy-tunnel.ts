import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { HttpFailure, toHttpFailure } from './http-failure.ts';

const credentialsHeader = ({ username, password }: URL): Record<string, string> => {
  if (username === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
};

/** Opens a raw connection to `target` (`host:port`) through an HTTP proxy. TLS, and its checks, are the caller's. */
export const openProxyTunnel = (
  proxy: string,
  target: string,
  options: { readonly timeoutMs: number },
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const url = new URL(proxy);
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const tunnel = request({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...credentialsHeader(url) },
      timeout: options.timeoutMs,
      agent: false,
    });
    const place = `the proxy ${url.host}`;
    tunnel.once('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      return reject(
        new HttpFailure('unreachable', `${place} returned HTTP ${response.statusCode} to CONNECT ${target}`),
      );
    });
    tunnel.once('timeout', () => tunnel.destroy(new HttpFailure('timeout', `${place} did not answer`)));
    tunnel.once('response', (response) => {
      response.destroy();
      reject(new HttpFailure('unreachable', `${place} refuses CONNECT: HTTP ${response.statusCode}`));
    });
    tunnel.once('error', (error) => {
      const failure = toHttpFailure(error);
      reject(
        failure instanceof HttpFailure
          ? new HttpFailure(failure.kind, `${place}: ${failure.message}`, { cause: error })
          : failure,
      );
    });
    tunnel.end();
  });
