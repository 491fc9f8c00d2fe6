export interface VolumeUsage {
  readonly total: bigint;
  readonly used: bigint;
  readonly available: bigint;
}

export interface VolumeStats {
  readonly bytes: VolumeUsage;
  /** Undefined for raw devices, and for file systems without a fixed number. */
  readonly inodes: VolumeUsage | undefined;
  /** Undefined if the volume is healthy. */
  readonly problem: string | undefined;
}

/** The result for a volume that cannot be read. */
export const unwell = (path: string, cause: unknown): VolumeStats => ({
  bytes: { total: 0n, used: 0n, available: 0n },
  inodes: undefined,
  problem: `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
});
