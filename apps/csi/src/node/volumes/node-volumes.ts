import type { Clock } from '@vdo/base/clock';
import type { Mounter } from '@vdo/linux-disks/mounter';
import type { RunCommand } from '@vdo/linux-disks/run-command';
import type { StagedDisks } from './staged-disks.ts';
import type { UsedDisks } from './used-disks.ts';

/** Dependencies of the operations on this node's volumes. */
export interface NodeVolumeDeps {
  readonly run: RunCommand;
  readonly mounter: Mounter;
  readonly clock: Clock;
  readonly sysfsRoot: string;
  readonly devRoot: string;
  /** How long to wait for an attached disk to appear; 30 s by default. */
  readonly diskTimeoutMs?: number;
  /** Records which disk was staged at which path. If absent, only the mounts show this. */
  readonly stagedDisks?: StagedDisks;
  /** Records which disks were used since they were attached. If absent, no disk is known to be unused. */
  readonly usedDisks?: UsedDisks;
  /** Kernel release as in uname; that of this machine by default. */
  readonly kernelRelease?: string;
}

/** The requested access to a volume. */
export interface NodeVolumeAccess {
  readonly kind: 'mount' | 'block';
  readonly fsType: string;
  readonly mountFlags: readonly string[];
  readonly readOnly: boolean;
  /** ReadWriteOncePod: only one target path at a time. */
  readonly exclusive: boolean;
}
