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
      // Beside the socket: a folder of the node that outlives the pod.
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
    // The kubelet calls as soon as it sees this socket: it comes last.
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
    // An mkfs that is cut short has to be made again; most end within the time that the kubelet gives the pod.
    await Promise.all([commands.idle(), csi.close()]);
  };

  return { run, notReady: () => (serving ? undefined : 'the sockets are not open yet') };
};
