import type { Clock } from '@vdo/base/clock';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { createSelfSigned } from '@vdo/base/self-signed';
import { thumbprintsOf } from '@vdo/base/thumbprint';
import type { VSphereSim } from './create-vsphere-sim.ts';

export interface ServedSim extends HttpServer {
  readonly host: string;
  /** PEM. */
  readonly certificate: string;
  readonly thumbprints: { readonly sha1: string; readonly sha256: string };
}

/** Serves a simulated vCenter over TLS with a certificate of its own. */
export const serveVSphereSim = async (
  sim: Pick<VSphereSim, 'handler'>,
  options: {
    readonly clock: Clock;
    /** 127.0.0.1 by default. */
    readonly host?: string;
    /** A free port by default. */
    readonly port?: number;
  },
): Promise<ServedSim> => {
  const { host = '127.0.0.1', port = 0 } = options;
  const pair = createSelfSigned({
    commonName: 'vcenter.example',
    hosts: [...new Set([host, '127.0.0.1', 'localhost'])],
    nowMs: options.clock.now(),
  });
  const server = await serveHttp({ handler: sim.handler, host, port, tls: { cert: pair.cert, key: pair.key } });
  return { ...server, host, certificate: pair.cert, thumbprints: thumbprintsOf(pair.der) };
};
