import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import type { Release } from '@vdo/releases/matrix';

/** What every migration needs to run. */
export interface Scene {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Maximum time for one step. */
  readonly timeoutMs: number;
  /** The releases that the operator may select. */
  readonly releases: readonly Release[];
  /** Installs the operator, and waits until it runs. */
  readonly installOperator: () => Promise<void>;
  /** Removes the operator and its CRDs. Objects of others in its namespace are kept, and so is the namespace. */
  readonly removeOperator: () => Promise<void>;
}
