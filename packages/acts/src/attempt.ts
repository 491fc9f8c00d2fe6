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
  /** Absent for who has no cluster to ask: what is noted elsewhere, and vCenter, are all that there is. */
  readonly client?: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  /** Of the Lease under which this process acts. */
  readonly fence: Fence;
  readonly log: ActLog;
  /** That no other cluster acts under the same id. */
  readonly soleUse: SoleUse;
}

/** What is to be changed, as it was when somebody last looked. A cache will do: the server compares. */
export interface KnownObject {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** One try to do something that cannot be undone. It begins now; what was known before does not count. */
export interface Attempt {
  readonly id: string;
  readonly act: string;
  readonly subject: string;
  /** Monotonic. */
  readonly beganMs: number;
  /** A live GET. */
  read<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<Seen<T> | Absent<T>>;
  /**
   * A merge patch of what is known, which gives the object as it is now. KubeConflict if it is not the one that is known;
   * EvidenceMissing if the patch changes nothing, because then its version is an old one.
   */
  readByWriting<T extends KubeObject>(
    resource: Resource<T>,
    known: KnownObject,
    change: { readonly metadata?: object; readonly [field: string]: unknown },
  ): Promise<Written<T> | Absent<T>>;
  /**
   * A live LIST of all objects, for who keeps no cache of them: those to which `question` applies. It costs as much as there are
   * objects, so it is for what people ask for by hand.
   */
  search<T extends KubeObject>(
    resource: Resource<T>,
    question: { readonly index: string; readonly value: string },
    applies: (object: T) => boolean,
  ): Promise<Found<T>>;
  /** Asks somebody else, such as vCenter. `question` must send its request when it is called, and answer from no cache. */
  ask<T>(what: string, question: () => Promise<T>): Promise<Answer<T>>;
  /** Throws unless the Lease is held, no other cluster has this one's id, and each piece of evidence is of this attempt or a later one, fresh, and not contradicted. */
  assertGood(...evidence: readonly Evidence[]): void;
}
