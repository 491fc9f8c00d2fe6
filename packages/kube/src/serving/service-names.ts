import { isIP } from 'node:net';

/** The names under which a Service is found in its cluster. */
export const serviceNames = (service: string, namespace: string): readonly string[] => {
  const qualified = `${service}.${namespace}`;
  return [service, qualified, `${qualified}.svc`, `${qualified}.svc.cluster.local`];
};

/** Whether a Host header names this machine, an address, or one of the names. An attacker can only make other names point here. */
export const isOwnHost = (host: string | undefined, known: readonly string[]): boolean => {
  const name = (host ?? '').toLowerCase().replace(/:\d{1,5}$/, '');
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || known.includes(name);
};
