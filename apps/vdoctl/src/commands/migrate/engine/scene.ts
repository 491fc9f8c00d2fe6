import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import type { Release } from '@vdo/releases/matrix';

/** What carrying out a migration takes, whichever it is. */
export interface Scene {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Of the operator. */
  readonly namespace: string;
  /** How long one step may be waited for. */
  readonly timeoutMs: number;
  /** Those that the operator may pick from. */
  readonly releases: readonly Release[];
  /** Installs the operator, and waits until it runs. */
  readonly installOperator: () => Promise<void>;
  /** Removes the operator and its definitions; others' objects in its namespace stay, and the namespace with them. */
  readonly removeOperator: () => Promise<void>;
}
