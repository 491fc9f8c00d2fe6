import { join } from 'node:path';
import { aborted } from '@vdo/base/async/aborted';
import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { Registration } from '@vdo/csi-proto/gen/pluginregistration-pb';
import type { OperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { serveGrpc } from '@vdo/csi-proto/rpc/serve-grpc';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import { toGrpcService } from '@vdo/csi-proto/rpc/to-grpc-service';
import { driverName } from '../driver.ts';

interface Answers {
  readonly onAccepted: () => void;
  readonly onRefused: (reason: string) => void;
}

/** What the kubelet asks when it finds the registration socket: upstream needs a sidecar for this. */
const createRegistrationService = (
  socketPath: string,
  { onAccepted, onRefused }: Answers,
): ServiceHandlers<typeof Registration> => ({
  getInfo: async () => ({
    type: 'CSIPlugin',
    name: driverName,
    endpoint: socketPath,
    supportedVersions: ['1.0.0'],
  }),
  notifyRegistrationStatus: async ({ pluginRegistered, error }) => {
    if (pluginRegistered) onAccepted();
    else onRefused(error);
    return {};
  },
});

export interface RegistrationOptions {
  /** Folder in which the kubelet searches for plugins. */
  readonly registrationDir: string;
  /** Path of the CSI socket as the kubelet sees it. */
  readonly socketPath: string;
  readonly observer: OperationObserver;
  /** How long the socket is gone after the first refusal; twice as long after each further one. Default 1 s, 30 s at most. */
  readonly pauseMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const longestPauseMs = 30_000;

/**
 * Offers the driver to the kubelet until the signal is aborted. A kubelet asks each registration socket once: if it refuses the driver, for
 * instance because the cloud provider has not labeled the Node yet, it asks again only when it finds a new socket. Resolves as
 * soon as the first one is open.
 */
export const offerRegistration = async (
  { registrationDir, socketPath, observer, pauseMs = 1_000, clock, logger }: RegistrationOptions,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> => {
  const endpoint = `unix://${join(registrationDir, `${driverName}-reg.sock`)}`;
  let nextPauseMs = pauseMs;

  const open = async () => {
    let refuse = (_reason: string): void => {};
    const refused = new Promise<string>((resolve) => {
      refuse = resolve;
    });
    const onAccepted = (): void => {
      nextPauseMs = pauseMs;
      logger.info('registered with the kubelet');
    };
    const service = createRegistrationService(socketPath, { onAccepted, onRefused: (reason) => refuse(reason) });
    const services = [toGrpcService(Registration, service, { observer, lifetime: signal })];
    return { refused, server: await serveGrpc({ endpoint, clock, services }) };
  };

  const follow = async (first: Awaited<ReturnType<typeof open>>): Promise<void> => {
    let { refused, server } = first;
    for (;;) {
      const reason = await Promise.race([refused, aborted(signal).then(() => undefined)]);
      await server.close();
      if (reason === undefined || signal.aborted) return;
      logger.warn('the kubelet refused to register the driver; a new registration socket follows', {
        reason,
        afterMs: nextPauseMs,
      });
      await sleep(clock, nextPauseMs, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      nextPauseMs = Math.min(2 * nextPauseMs, longestPauseMs);
      ({ refused, server } = await open());
    }
  };

  return { ended: follow(await open()) };
};
