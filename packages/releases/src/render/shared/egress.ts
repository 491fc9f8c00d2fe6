import type { RenderContext } from './render-context.ts';

/** OpenShift's name servers listen on the second port, which is what a policy sees behind their Service. */
const dnsPorts = [53, 5353];
/** Of the Service of the API server. */
const servicePort = 443;
/** Default port of API servers. */
const usualApiServerPort = 6443;

/** Proxies, and the collector of spans. */
const addressVariables = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'ALL_PROXY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
];
const portOfKind: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const socksPort = 1080;

const portOf = (address: string): readonly number[] => {
  try {
    const { port, protocol } = new URL(address);
    return [port === '' ? (portOfKind[protocol] ?? socksPort) : Number(port)];
  } catch {
    // The program reports the problem.
    return [];
  }
};

const portsIn = (env: Readonly<Record<string, string>> = {}): readonly number[] =>
  Object.entries(env)
    .filter(([name]) => addressVariables.includes(name.toUpperCase()))
    .flatMap(([, address]) => portOf(address));

const tcp = (ports: readonly number[]) =>
  [...new Set(ports)].sort((one, other) => one - other).map((port) => ({ port, protocol: 'TCP' }));

interface Egress {
  readonly vcenters: boolean;
}

/**
 * What pods of the pod network may call: name servers, the API server, vCenters or the proxy in front of them, and a collector of spans if one is set. Only ports: vCenters
 * are known by name, and pod networks differ in whether a block of addresses includes nodes and Services.
 */
export const egressRules = (context: RenderContext, { vcenters }: Egress) => {
  const { apiServerPort = usualApiServerPort, vcenterPorts, advanced } = context;
  const ways = vcenters ? [...vcenterPorts, ...portsIn(advanced.csiController?.env)] : [];
  return [
    { ports: dnsPorts.flatMap((port) => ['UDP', 'TCP'].map((protocol) => ({ port, protocol }))) },
    { ports: tcp([servicePort, apiServerPort, ...ways]) },
  ];
};
