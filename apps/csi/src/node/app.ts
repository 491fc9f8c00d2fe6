import { join } from 'node:path';
import { aborted } from '@vdo/base/async/aborted';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import { Identity, Node } from '@vdo/csi-proto/gen/csi-pb';
import { Registration } from '@vdo/csi-proto/gen/pluginregistration-pb';
import { createOperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { serveGrpc } from '@vdo/csi-proto/rpc/serve-grpc';
import { toGrpcService } from '@vdo/csi-proto/rpc/to-grpc-service';
import { createMounter, type Mounter } from '@vdo/linux-disks/mounter';
import type { RunCommand } from '@vdo/linux-disks/run-command';
import { driverName } from '../driver.ts';
import { createIdentityService } from '../rpc/identity-service.ts';
import { createNodeService } from './node-service.ts';
import { readNodeUuid } from './node-uuid.ts';
import { createRegistrationService } from './registration-service.ts';

export interface CsiNodeDeps {
  readonly csiEndpoint: string;
  readonly registrationDir: string;
  /** The CSI socket as the kubelet sees it. */
  readonly kubeletRegistrationPath: string;
  /** False: the upstream node-driver-registrar does it. */
  readonly register: boolean;
  readonly sysfsRoot: string;
  readonly devRoot: string;
  /** Default: as many as the VM has room for. */
  readonly maxVolumes?: number;
  readonly run: RunCommand;
  /** Default: the kernel's mounts. */
  readonly mounter?: Mounter;
  /** Where the node is; absent without topology. */
  readonly topology?: () => Promise<Readonly<Record<string, string>>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface CsiNode {
  /** Runs until aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Undefined when the sockets are open, else what is awaited. */
  notReady(): string | undefined;
}

/** The node role: CSI identity and node services, and registration with the kubelet. */
export const createCsiNode = (deps: CsiNodeDeps): CsiNode => {
  const { csiEndpoint, clock, logger } = deps;
  const observer = createOperationObserver(deps);
  let serving = false;

  const run = async (signal: AbortSignal): Promise<void> => {
    const options = { observer, lifetime: signal };
    const node = createNodeService({
      ...deps,
      mounter: deps.mounter ?? createMounter(deps.run),
      nodeUuid: () => readNodeUuid(deps.sysfsRoot),
    });
    const identity = createIdentityService({
      topology: deps.topology !== undefined,
      onlineExpansion: true,
      ready: () => serving,
    });
    const csi = await serveGrpc({
      endpoint: csiEndpoint,
      clock,
      services: [toGrpcService(Identity, identity, options), toGrpcService(Node, node, options)],
    });
    logger.info('serving CSI', { endpoint: csiEndpoint });
    // The kubelet calls as soon as it sees this socket: it comes last.
    const registration = deps.register
      ? await serveGrpc({
          endpoint: `unix://${join(deps.registrationDir, `${driverName}-reg.sock`)}`,
          clock,
          services: [
            toGrpcService(
              Registration,
              createRegistrationService({ socketPath: deps.kubeletRegistrationPath, logger, onStatus: () => {} }),
              options,
            ),
          ],
        })
      : undefined;
    serving = true;
    await aborted(signal);
    serving = false;
    await registration?.close();
    await csi.close();
  };

  return { run, notReady: () => (serving ? undefined : 'the sockets are not open yet') };
};
