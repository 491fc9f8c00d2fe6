import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { VSphereModel } from './model.ts';

export interface VSphereSimOptions {
  readonly model: VSphereModel;
  readonly clock: Clock;
  /** The same seed gives the same references, UUIDs and faults. */
  readonly random: Random;
  /** How long a task runs. Default 10 ms. */
  readonly taskLatencyMs?: number;
  /** Sessions end after this much idle time. Default 30 minutes. */
  readonly sessionIdleMs?: number;
  /** Objects in one reply of RetrievePropertiesEx. Default 1000. */
  readonly maxRetrieveObjects?: number;
  /** Objects in one reply of WaitForUpdatesEx. Default 100, as a real vCenter. */
  readonly maxUpdateObjects?: number;
}
