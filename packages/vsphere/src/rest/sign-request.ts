import { createHash, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { KeyPair } from '../session/key-pair.ts';
import type { Endpoint } from '../soap/vcenter-failure.ts';

/** The `Authorization` header of a REST request without a body, signed by the holder of a token. */
export const signedAuthorization = (
  request: { readonly method: string; readonly path: string },
  proof: { readonly endpoint: Endpoint; readonly assertion: string; readonly pair: KeyPair; readonly nonce: string },
): string => {
  const { endpoint, nonce } = proof;
  const bodyHash = createHash('sha256').digest();
  const host = endpoint.server.includes(':') ? `[${endpoint.server}]` : endpoint.server;
  // The server reads the port from the Host header. That header omits the default port, and the server then assumes 80.
  const port = endpoint.port === 443 ? 80 : endpoint.port;
  const lines = [nonce, request.method, request.path, host.toLowerCase(), port].map((line) => `${line}\n`).join('');
  const message = Buffer.concat([Buffer.from(lines, 'utf8'), bodyHash, Buffer.from('\n')]);
  const parameters = {
    token: gzipSync(proof.assertion).toString('base64'),
    signature_alg: 'RSA-SHA256',
    signature: sign('sha256', message, proof.pair.privateKey).toString('base64'),
    nonce,
    bodyhash: bodyHash.toString('base64'),
  };
  return `SIGN ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
};
