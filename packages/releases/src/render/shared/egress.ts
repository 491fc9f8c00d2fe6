import type { RenderContext } from './render-context.ts';

/** OpenShift's name servers listen on the second one, which is what a policy sees behind their Service. */
const dnsPorts = [53, 5353];
/** Of the Service of the API server. */
const servicePort = 443;
/** Where API servers listen unless somebody says otherwise. */
const usualApiServerPort = 6443;

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];
const portOfKind: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const socksPort = 1080;

const portOf = (address: string): readonly number[] => {
  try {
    const { port, protocol } = new URL(address);
    return [port === '' ? (portOfKind[protocol] ?? socksPort) : Number(port)];
  } catch {
    // The program says what is wrong with it.
    return [];
  }
};

const proxyPorts = (env: Readonly<Record<string, string>> = {}): readonly number[] =>
  Object.entries(env)
    .filter(([name]) => proxyVariables.includes(name.toUpperCase()))
    .flatMap(([, address]) => portOf(address));

const tcp = (ports: readonly number[]) =>
  [...new Set(ports)].sort((one, other) => one - other).map((port) => ({ port, protocol: 'TCP' }));

interface Egress {
  readonly vcenters: boolean;
}

/**
 * What pods of the pod network may call: name servers, the API server, and vCenters or the proxy before them. Ports alone: vCenters
 * are known by name, and pod networks differ in whether a block of addresses means nodes and Services too.
 */
export const egressRules = (context: RenderContext, { vcenters }: Egress) => {
  const { apiServerPort = usualApiServerPort, vcenterPorts, advanced } = context;
  const ways = vcenters ? [...vcenterPorts, ...proxyPorts(advanced.csiController?.env)] : [];
  return [
    { ports: dnsPorts.flatMap((port) => ['UDP', 'TCP'].map((protocol) => ({ port, protocol }))) },
    { ports: tcp([servicePort, apiServerPort, ...ways]) },
  ];
};
