import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import type { ObjectKey, Resource } from '@vdo/kube/types/resource';
import type { ActLog } from './act-log.ts';
import type { Absent, Answer, Evidence, Found, Seen, Written } from './evidence.ts';
import type { SoleUse } from './sole-use.ts';

export interface AttemptDeps {
  /** Absent if there is no cluster: records outside of a cluster and vCenter are then the only evidence. */
  readonly client?: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  /** The fence of the Lease under which this process acts. */
  readonly fence: Fence;
  readonly log: ActLog;
  /** Checks that no other cluster uses the same cluster ID. */
  readonly soleUse: SoleUse;
}

/** The object that is to be changed, in its last known version. It may come from a cache, because the API server compares the version. */
export interface KnownObject {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** One attempt to do something irreversible. It begins now, and anything that was read earlier is not accepted as evidence. */
export interface Attempt {
  readonly id: string;
  readonly act: string;
  readonly subject: string;
  /** By the monotonic clock. */
  readonly beganMs: number;
  /** A live GET. */
  read<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<Seen<T> | Absent<T>>;
  /**
   * A merge patch of the known version, which returns the present object. Throws KubeConflict if the object has changed,
   * and EvidenceMissing if the patch changes nothing, because the returned version would then be an old one.
   */
  readByWriting<T extends KubeObject>(
    resource: Resource<T>,
    known: KnownObject,
    change: { readonly metadata?: object; readonly [field: string]: unknown },
  ): Promise<Written<T> | Absent<T>>;
  /**
   * A live LIST of all objects, for programs without a cache; returns those that match `question`. Its cost grows with the number
   * of objects, so it is meant for operations that people start manually.
   */
  search<T extends KubeObject>(
    resource: Resource<T>,
    question: { readonly index: string; readonly value: string },
    applies: (object: T) => boolean,
  ): Promise<Found<T>>;
  /** Asks another system, such as vCenter. `question` must send its request when it is called, and must not answer from a cache. */
  ask<T>(what: string, question: () => Promise<T>): Promise<Answer<T>>;
  /** Throws unless the Lease is held, no other cluster has the same ID, and each piece of evidence is from this attempt or a later one, is recent enough, and is still true. */
  assertGood(...evidence: readonly Evidence[]): void;
}
