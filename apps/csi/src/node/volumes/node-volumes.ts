import type { Clock } from '@vdo/base/clock';
import type { Mounter } from '@vdo/linux-disks/mounter';
import type { RunCommand } from '@vdo/linux-disks/run-command';
import type { StagedDisks } from './staged-disks.ts';
import type { UsedDisks } from './used-disks.ts';

/** What the operations on this node's volumes work with. */
export interface NodeVolumeDeps {
  readonly run: RunCommand;
  readonly mounter: Mounter;
  readonly clock: Clock;
  readonly sysfsRoot: string;
  readonly devRoot: string;
  /** How long to wait for an attached disk to appear. Default 30 s. */
  readonly diskTimeoutMs?: number;
  /** Which disk was staged where. Absent: only what is mounted tells. */
  readonly stagedDisks?: StagedDisks;
  /** Which disks were used since they were attached. Absent: none is known to be unused. */
  readonly usedDisks?: UsedDisks;
  /** As uname has it. Default: this machine's. */
  readonly kernelRelease?: string;
}

/** How a volume is to be used. */
export interface NodeVolumeAccess {
  readonly kind: 'mount' | 'block';
  readonly fsType: string;
  readonly mountFlags: readonly string[];
  readonly readOnly: boolean;
  /** ReadWriteOncePod: only one target at a time. */
  readonly exclusive: boolean;
}
