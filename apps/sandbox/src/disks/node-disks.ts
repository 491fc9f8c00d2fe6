/** Folders in which the storage driver finds the devices of one sandbox node. */
export interface NodeMachine {
  readonly sysfsRoot: string;
  readonly devRoot: string;
  /** The mount table if mounts are simulated; absent: the kernel has it. */
  readonly mountTable?: string;
}

/** The disks of all nodes, created and removed as vCenter attaches and detaches them. */
export interface NodeDisks {
  /** `simulated` or `real`, for the progress output. */
  readonly kind: 'simulated' | 'real';
  machine(nodeName: string): Promise<NodeMachine>;
  /** Follows the attachments until aborted; then everything is unmounted and detached. */
  run(signal: AbortSignal): Promise<void>;
}
