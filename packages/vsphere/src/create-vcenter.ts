import type { Clock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import { createHttpClient, presentedCertificate, type TlsOptions } from '@vdo/base/http-client';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { type Authorization, createAuthorization } from './authorization/authorization.ts';
import { createCnsClient } from './cns/create-cns-client.ts';
import { createDestructiveCalls } from './destructive/create-destructive-calls.ts';
import { createTagRemoval } from './destructive/create-tag-removal.ts';
import { destructive } from './destructive/destructive-calls.ts';
import { createFirstClassDisks } from './fcd/create-first-class-disks.ts';
import type { FirstClassDisks } from './fcd/first-class-disks.ts';
import { createHealthReader } from './health/create-health-reader.ts';
import type { HealthReader } from './health/health-reader.ts';
import { createNodeInventory } from './inventory/create-node-inventory.ts';
import { createPlacement } from './inventory/create-placement.ts';
import { createTopologyReader } from './inventory/create-topology-reader.ts';
import { createDatacenters } from './inventory/datacenters.ts';
import { createFileServices, type FileServices } from './inventory/file-services.ts';
import { createInventoryTree, type InventoryTree } from './inventory/inventory-tree.ts';
import type { NodePlaces } from './inventory/node-places.ts';
import { createPlaceStore } from './inventory/place-store.ts';
import { createVmExistence } from './inventory/vm-existence.ts';
import { createStoragePolicies, type StoragePolicies } from './policy/storage-policies.ts';
import { createRestClient } from './rest/rest-client.ts';
import { createTagAdmin, type TagAdmin } from './rest/tag-admin.ts';
import { createTagging } from './rest/tagging.ts';
import type { CredentialsSource } from './session/credentials.ts';
import { createLoginGuard, type LoginGuard } from './session/login-guard.ts';
import { createTokenService } from './session/token-service.ts';
import { createVimSession } from './session/vim-session.ts';
import { createCallMetrics } from './soap/call-metrics.ts';
import { createSsoAdmin } from './sso/create-sso-admin.ts';
import type { SsoAdmin } from './sso/sso-admin.ts';
import { createSsoSession } from './sso/sso-session.ts';
import { measureTasks } from './tasks/measure-tasks.ts';
import { createRecentTasks } from './tasks/recent-tasks.ts';
import { createTaskWaiter } from './tasks/task-waiter.ts';
import type { AboutInfo, VCenter } from './vcenter.ts';
import { createVmDisks, type VmDisks } from './vms/vm-disks.ts';
import { createVmOperations, type VmOperations } from './vms/vm-operations.ts';
import type { Value } from './wire/schema.ts';
import type { ServiceContent } from './wire/types/service.ts';

/** All functions of this client. Programs that need less use VCenter. */
export interface FullVCenter extends VCenter {
  /** User name of the session, as vCenter reports it. With a certificate there is no other way to know it. */
  userName(options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** How many calls this client has made. */
  calls(): number;
  readonly policies: StoragePolicies;
  readonly authorization: Authorization;
  /** Users and groups of single sign-on. Has its own session, which is opened on demand. */
  readonly sso: SsoAdmin;
  readonly vms: VmOperations;
  readonly inventory: InventoryTree;
  readonly tags: TagAdmin;
  /** Hosts and datastores of the node VMs, while `nodes.run` runs. */
  readonly places: NodePlaces;
  readonly disks: VmDisks;
  readonly fileServices: FileServices;
  /** The data for health checks, read in few calls. */
  readonly health: HealthReader;
  /** First-class disks, and vmdks to register as such. */
  readonly firstClassDisks: FirstClassDisks;
}

export interface VCenterOptions {
  /** Host name or address, without scheme. */
  readonly server: string;
  /** 443 by default. */
  readonly port?: number;
  /** Name in facts, logs and metrics, if the host does not identify it uniquely; the server by default. */
  readonly name?: string;
  readonly credentials: CredentialsSource;
  readonly tls?: TlsOptions;
  /** `http://user:pass@proxy:3128`. */
  readonly proxy?: string;
  /** Instead of the network: a simulator in memory. */
  readonly transport?: HttpTransport;
  /** Intercepts every request between the client and the network; none by default. */
  readonly observe?: (transport: HttpTransport) => HttpTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** One per process, with a store that survives restarts. By default its own, in memory. */
  readonly loginGuard?: LoginGuard;
  /** The single sign-on domain of vCenter itself; `vsphere.local` by default. */
  readonly ssoDomain?: string;
  /** The name by which administrators recognize the sessions of this program; `vdo` by default. */
  readonly userAgent?: string;
  /** Timeout per call; 60 s by default, and 300 s for storage calls. */
  readonly timeoutMs?: number;
  /** 256 MiB by default. */
  readonly maxReplyBytes?: number;
}

const connect = (options: VCenterOptions, port: number) => {
  if (options.transport) return { transport: options.transport, close: async () => {}, certificate: undefined };
  const { server, tls, proxy } = options;
  const host = server.includes(':') ? `[${server}]` : server;
  const client = createHttpClient({
    origin: `https://${host}:${port}`,
    ...(tls ? { tls } : {}),
    ...(proxy === undefined ? {} : { proxy }),
  });
  const certificate = proxy === undefined ? () => presentedCertificate(server, port) : undefined;
  return { ...client, certificate };
};

/** All endpoints use this transport, so all send the same user agent. */
const signed =
  (transport: HttpTransport, userAgent: string): HttpTransport =>
  (request) =>
    transport({ ...request, headers: { ...request.headers, 'user-agent': userAgent } });

const toAbout = ({ about }: Value<typeof ServiceContent>): AboutInfo => ({
  version: about.version,
  build: about.build,
  apiVersion: about.apiVersion,
  instanceUuid: about.instanceUuid ?? '',
  fullName: about.fullName,
  apiType: about.apiType,
});

/** Does not connect yet: the first call connects. */
export const createVCenter = (options: VCenterOptions): FullVCenter => {
  const { server, port = 443, name = server, credentials, clock, random } = options;
  const endpoint = { server, port };
  const logger = options.logger.child({ vcenter: name });
  const guard = options.loginGuard ?? createLoginGuard({ clock, logger });
  const metrics = createCallMetrics(options.metrics, name);
  const { certificate, close: disconnect, ...connection } = connect(options, port);
  const observed = options.observe?.(connection.transport) ?? connection.transport;
  const common = {
    endpoint,
    transport: signed(observed, options.userAgent ?? 'vdo'),
    credentials,
    guard,
    clock,
    logger,
    metrics,
    certificate,
    timeoutMs: options.timeoutMs,
  };
  const { ssoDomain: domain = 'vsphere.local' } = options;
  const tokens = createTokenService({ ...common, random, domain });
  const session = createVimSession({
    ...common,
    tokens,
    maxReplyBytes: options.maxReplyBytes,
  });
  const rest = createRestClient({
    ...common,
    tokens,
    random,
    beforeLogin: async () => (await session.open()).content.about.apiVersion,
  });
  const ssoSession = createSsoSession({ ...common, tokens, session, domain });
  const tasks = measureTasks(createTaskWaiter({ session, clock, random }), options.metrics, name);
  const places = createPlaceStore(name, logger);
  const tagging = createTagging(rest, clock);

  const close = async (): Promise<void> => {
    tasks.close();
    await Promise.all([ssoSession.close().then(() => session.close()), rest.close()]);
    await disconnect();
  };
  let closing: Promise<void> | undefined;

  const datacenters = createDatacenters(session, clock);
  return {
    server: name,
    calls: metrics.count,
    about: async (call = {}) => toAbout(await session.serviceContent(call)),
    product: async (call = {}) => toAbout((await session.open(call)).content),
    login: async (call = {}) => {
      await session.open(call);
    },
    userName: async (call = {}) => (await session.open(call)).userName,
    instanceUuid: async (call = {}) => (await session.open(call)).content.about.instanceUuid ?? '',
    nodes: createNodeInventory({ name, session, clock, random, logger, places, datacenters }),
    datacenters,
    places,
    existence: createVmExistence(session),
    topology: createTopologyReader(session, tagging, places),
    placement: createPlacement(session),
    cns: createCnsClient(session, tasks),
    [destructive]: { ...createDestructiveCalls(session, tasks), ...createTagRemoval(rest) },
    tasks: createRecentTasks(session),
    policies: createStoragePolicies(session),
    authorization: createAuthorization(session),
    sso: createSsoAdmin(ssoSession, domain),
    vms: createVmOperations(session, tasks),
    inventory: createInventoryTree(session),
    tags: createTagAdmin(rest, tagging),
    disks: createVmDisks(session),
    fileServices: createFileServices(session),
    health: createHealthReader(session, tagging, name),
    firstClassDisks: createFirstClassDisks(session, tasks),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
};
