import { join } from 'node:path';
import { aborted } from '@vdo/base/async/aborted';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { Node, NodeServiceCapability_RPC_Type as Rpc } from '@vdo/csi-proto/gen/csi-pb';
import { Registration } from '@vdo/csi-proto/gen/pluginregistration-pb';
import type { CallContext } from '@vdo/csi-proto/rpc/call-context';
import { createOperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { serveGrpc } from '@vdo/csi-proto/rpc/serve-grpc';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import { toGrpcService } from '@vdo/csi-proto/rpc/to-grpc-service';

export const fakeDriverName = 'disks.example.com';

/** One call of the kubelet, with the relevant parts of the request. */
export interface DriverCall {
  readonly method: string;
  readonly nodeName: string;
  readonly request: Readonly<Record<string, unknown>> & { readonly volumeId: string };
}

export interface FakeDriverOptions {
  readonly capabilities?: readonly Rpc[];
  /** Really mounts; without it nothing is mounted. */
  readonly service?: ServiceHandlers<typeof Node>;
}

/** A CSI node plugin that records its calls, on real sockets. */
export const createFakeDriver = (options: FakeDriverOptions = {}) => {
  const calls: DriverCall[] = [];
  const failures: { readonly method: string; readonly error: Error }[] = [];
  const capabilities = options.capabilities ?? [Rpc.STAGE_UNSTAGE_VOLUME, Rpc.EXPAND_VOLUME];

  const handlers = (nodeName: string): ServiceHandlers<typeof Node> => {
    const noted =
      <R extends object & { readonly volumeId: string }, T extends object>(
        method: string,
        serve: ((request: R, context: CallContext) => Promise<T>) | undefined,
      ) =>
      async (request: R, context: CallContext): Promise<T> => {
        calls.push({ method, nodeName, request: request as never });
        const index = failures.findIndex((failure) => failure.method === method);
        const [failure] = index < 0 ? [] : failures.splice(index, 1);
        if (failure) throw failure.error;
        return serve ? serve(request, context) : ({} as T);
      };
    const { service = {} } = options;
    return {
      nodeGetInfo: async () => ({ nodeId: `id-of-${nodeName}` }),
      nodeGetCapabilities: async () => ({
        capabilities: capabilities.map((type) => ({ type: { case: 'rpc', value: { type } } })),
      }),
      nodeStageVolume: noted('stage', service.nodeStageVolume),
      nodeUnstageVolume: noted('unstage', service.nodeUnstageVolume),
      nodePublishVolume: noted('publish', service.nodePublishVolume),
      nodeUnpublishVolume: noted('unpublish', service.nodeUnpublishVolume),
      nodeExpandVolume: noted('expand', service.nodeExpandVolume),
    };
  };

  /** Serves both sockets until aborted, like the driver's container on a node. */
  const serve = async (
    place: { readonly nodeName: string; readonly socket: string; readonly registry: string; readonly endpoint: string },
    signal: AbortSignal,
  ): Promise<void> => {
    const clock = createSystemClock();
    const observer = createOperationObserver({ clock, logger: silentLogger, metrics: createMetrics() });
    const common = { observer, lifetime: signal };
    const registration: ServiceHandlers<typeof Registration> = {
      getInfo: async () => ({
        type: 'CSIPlugin',
        name: fakeDriverName,
        endpoint: place.endpoint,
        supportedVersions: ['1.0.0'],
      }),
      notifyRegistrationStatus: async () => ({}),
    };
    const servers = [
      await serveGrpc({
        endpoint: `unix://${place.socket}`,
        clock,
        services: [toGrpcService(Node, handlers(place.nodeName), common)],
      }),
      await serveGrpc({
        endpoint: `unix://${join(place.registry, 'disks-reg.sock')}`,
        clock,
        services: [toGrpcService(Registration, registration, common)],
      }),
    ];
    await aborted(signal);
    await Promise.all(servers.map((server) => server.close({ graceMs: 100 })));
  };

  return { calls, serve, failOnce: (method: string, error: Error) => failures.push({ method, error }) };
};
