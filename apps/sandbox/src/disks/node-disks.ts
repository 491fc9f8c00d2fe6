import type { Mounter } from '@vdo/linux-disks/mounter';
import type { RunCommand } from '@vdo/linux-disks/run-command';

/** What the storage driver finds on one node of the sandbox: its devices, and what works on them. */
export interface NodeMachine {
  readonly sysfsRoot: string;
  readonly devRoot: string;
  readonly run: RunCommand;
  readonly mounter: Mounter;
}

/** The disks of all nodes: they come and go as vCenter attaches and detaches them. */
export interface NodeDisks {
  /** `simulated` or `real`: what is said of the mounts. */
  readonly kind: 'simulated' | 'real';
  machine(nodeName: string): Promise<NodeMachine>;
  /** Follows the attachments until aborted; nothing is left mounted or attached then. */
  run(signal: AbortSignal): Promise<void>;
}
