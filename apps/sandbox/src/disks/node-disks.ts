/** Where the storage driver finds what one node of the sandbox has. */
export interface NodeMachine {
  readonly sysfsRoot: string;
  readonly devRoot: string;
  /** What is mounted, where mounts are simulated; absent: the kernel knows. */
  readonly mountTable?: string;
}

/** The disks of all nodes: they come and go as vCenter attaches and detaches them. */
export interface NodeDisks {
  /** `simulated` or `real`: what is said of the mounts. */
  readonly kind: 'simulated' | 'real';
  machine(nodeName: string): Promise<NodeMachine>;
  /** Follows the attachments until aborted; nothing is left mounted or attached then. */
  run(signal: AbortSignal): Promise<void>;
}
