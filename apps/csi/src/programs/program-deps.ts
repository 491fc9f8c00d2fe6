import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';

/** What `main` gives a role to run with. */
export interface ProgramDeps {
  /** Of the driver, told to servers. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}
