import { dirname, join } from 'node:path';
import { aborted } from '@vdo/base/async/aborted';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import { Identity, Node } from '@vdo/csi-proto/gen/csi-pb';
import { parseCsiEndpoint } from '@vdo/csi-proto/rpc/csi-endpoint';
import { createOperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { serveGrpc } from '@vdo/csi-proto/rpc/serve-grpc';
import { toGrpcService } from '@vdo/csi-proto/rpc/to-grpc-service';
import { createMounter, type Mounter } from '@vdo/linux-disks/mounter';
import type { RunCommand } from '@vdo/linux-disks/run-command';
import { trackCommands } from '@vdo/linux-disks/track-commands';
import { createIdentityService } from '../rpc/identity-service.ts';
import { createNodeService } from './node-service.ts';
import { readNodeUuid } from './node-uuid.ts';
import { offerRegistration } from './offer-registration.ts';
import { createStagedDisks } from './volumes/staged-disks.ts';
import { createUsedDisks } from './volumes/used-disks.ts';

export interface CsiNodeDeps {
  readonly csiEndpoint: string;
  readonly registrationDir: string;
  /** Path of the CSI socket on the host, as the kubelet sees it. */
  readonly kubeletRegistrationPath: string;
  /** If false, the upstream node-driver-registrar registers the driver. */
  readonly register: boolean;
  readonly sysfsRoot: string;
  readonly devRoot: string;
  /** By default, the number of free slots of the VM. */
  readonly maxVolumes?: number;
  readonly run: RunCommand;
  /** The kernel's mounts by default. */
  readonly mounter?: Mounter;
  /** The topology of the node; absent if topology is not configured. */
  readonly topology?: () => Promise<Readonly<Record<string, string>>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface CsiNode {
  /** Runs until aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Undefined if the sockets are open, otherwise what the program waits for. */
  notReady(): string | undefined;
}

const notesIn = (folder: string) => ({
  stagedDisks: createStagedDisks(join(folder, 'staged')),
  usedDisks: createUsedDisks(join(folder, 'used')),
});

/** The node role: CSI identity and node services, and registration with the kubelet. */
export const createCsiNode = (deps: CsiNodeDeps): CsiNode => {
  const { csiEndpoint, clock, logger } = deps;
  const observer = createOperationObserver(deps);
  let serving = false;

  const run = async (signal: AbortSignal): Promise<void> => {
    const options = { observer, lifetime: signal };
    const commands = trackCommands(deps.run);
    const { socketPath } = parseCsiEndpoint(csiEndpoint);
    const node = createNodeService({
      ...deps,
      run: commands.run,
      mounter: deps.mounter ?? createMounter(commands.run),
      // Next to the socket: a directory on the node that remains when the pod is deleted.
      ...(socketPath === undefined ? {} : notesIn(dirname(socketPath))),
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
    // The kubelet calls as soon as it finds this socket, so it is opened last.
    const { registrationDir, kubeletRegistrationPath } = deps;
    const registration = deps.register
      ? await offerRegistration(
          { registrationDir, socketPath: kubeletRegistrationPath, observer, clock, logger },
          signal,
        )
      : undefined;
    serving = true;
    await aborted(signal);
    serving = false;
    await registration?.ended;
    // An interrupted mkfs has to be repeated. Most finish within the termination grace period of the pod.
    await Promise.all([commands.idle(), csi.close()]);
  };

  return { run, notReady: () => (serving ? undefined : 'the sockets are not open yet') };
};
