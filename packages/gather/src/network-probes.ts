import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { onAbort } from '@vdo/base/async/on-abort';
import { presentedCertificate } from '@vdo/base/http-client';
import type { Probes } from './gather-deps.ts';

const lookUpTimeoutMs = 5_000;

/** Network probes from the machine on which the program runs. */
export const networkProbes: Probes = {
  certificate: async (server, port) => {
    const shown = await presentedCertificate(server, port);
    return shown && { subject: shown.subject, sha256: shown.sha256, validToMs: Date.parse(shown.validTo) };
  },
  lookUp: async (name, nameServer, { signal }) => {
    if (isIP(name) !== 0) return [name];
    const resolver = new Resolver({ timeout: lookUpTimeoutMs, tries: 1 });
    resolver.setServers([nameServer]);
    const stopListening = onAbort(signal, () => resolver.cancel());
    try {
      return await resolver.resolve4(name).catch(() => resolver.resolve6(name));
    } finally {
      stopListening();
    }
  },
};
