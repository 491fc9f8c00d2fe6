/** The reason why an object in vCenter may be deleted by this cluster. */
export type Ground =
  /** A record of this driver that it was about to create the object. */
  | {
      readonly kind: 'intent';
      /** The name under which it was created. */
      readonly name: string;
      /** Absent in records of older releases, like the next field. */
      readonly clusterId?: string | undefined;
      readonly instanceUuid?: string | undefined;
      readonly handedOver: boolean;
    }
  /** A Kubernetes object: a PersistentVolume or a VolumeSnapshotContent. */
  | {
      readonly kind: 'object';
      readonly what: string;
      readonly uid: string;
      /** Reclaim or deletion policy. */
      readonly policy: string | undefined;
      /** instanceUuid of the vCenter on which it was created or to which it is bound, if that was recorded. */
      readonly instanceUuid?: string | undefined;
      /** The name under which this driver created it; absent if it was statically provisioned. */
      readonly madeAs?: string | undefined;
    }
  /** The request of a person for exactly this object. */
  | { readonly kind: 'request'; readonly what: string };

export interface OwnershipFacts {
  readonly clusterId: string;
  /** The present instanceUuid of the vCenter on which it would be deleted. */
  readonly instanceUuid: string;
  /** No other vCenter is configured. */
  readonly isOnlyVCenter: boolean;
  /** The object as vCenter lists it. Undefined (not listed) proves neither that it belongs to this cluster nor that it does not. */
  readonly shown:
    | {
        readonly name: string;
        readonly clusterIds: readonly string[];
        /** The Kubernetes objects that vCenter lists as its users, as text. */
        readonly users?: readonly string[];
      }
    | undefined;
  readonly ground: Ground;
  /** All objects of the cluster that use it. */
  readonly holders: readonly { readonly uid: string; readonly name: string }[];
}

export interface Ownership {
  /** An object with class `unknown` is never deleted. */
  readonly class: 'made-here' | 'bound' | 'asked-for' | 'unknown';
  /** A clause: completes "it is … because". */
  readonly why: string;
}

const unknown = (why: string): Ownership => ({ class: 'unknown', why });

const ofIntent = (facts: OwnershipFacts, ground: Ground & { kind: 'intent' }): Ownership => {
  const { holders, shown } = facts;
  if (ground.handedOver) return unknown('it was handed over, so only its user may delete it');
  if (holders[0]) return unknown(`${holders[0].name} uses it`);
  if (ground.clusterId === undefined || ground.instanceUuid === undefined)
    return unknown('an older release recorded it without its cluster and vCenter');
  if (ground.clusterId !== facts.clusterId) return unknown(`cluster ${ground.clusterId} recorded it`);
  if (ground.instanceUuid !== facts.instanceUuid) return unknown(`it was created on vCenter ${ground.instanceUuid}`);
  if (shown && shown.name !== ground.name) return unknown(`its name is ${shown.name}, not ${ground.name}`);
  return { class: 'made-here', why: 'this cluster recorded that it creates it on this vCenter' };
};

const ofObject = (facts: OwnershipFacts, ground: Ground & { kind: 'object' }): Ownership => {
  const { holders, shown } = facts;
  if (ground.policy !== 'Delete') return unknown(`the policy of ${ground.what} is ${ground.policy ?? 'not set'}`);
  if (!holders.some(({ uid }) => uid === ground.uid)) return unknown(`${ground.what} no longer uses it`);
  const other = holders.find(({ uid }) => uid !== ground.uid);
  if (other) return unknown(`${other.name} uses it, too`);
  if (ground.instanceUuid !== undefined && ground.instanceUuid !== facts.instanceUuid)
    return unknown(`${ground.what} belongs to vCenter ${ground.instanceUuid}`);
  if (ground.instanceUuid === undefined && !facts.isOnlyVCenter)
    return unknown(`it is not recorded to which vCenter ${ground.what} belongs`);
  if (ground.madeAs !== undefined && shown && shown.name !== ground.madeAs)
    return unknown(`its name is ${shown.name}, not ${ground.madeAs}`);
  if (ground.madeAs !== undefined && ground.instanceUuid !== undefined)
    return { class: 'made-here', why: `${ground.what} was created with it on this vCenter` };
  return { class: 'bound', why: `only ${ground.what} uses it, with policy Delete` };
};

// No object of this cluster uses it, so only vCenter knows the owner. After a restore, two clusters may have the same ID: volumes that the
// // other cluster uses then have that cluster's objects in vCenter.
const ofRequest = (facts: OwnershipFacts, { what }: Ground & { kind: 'request' }): Ownership => {
  const { holders, shown, clusterId } = facts;
  if (holders[0]) return unknown(`${holders[0].name} uses it`);
  if (!shown) return unknown('vCenter does not list it');
  if (shown.clusterIds.length !== 1) return unknown(`vCenter does not list it for this cluster, ${clusterId}, alone`);
  const [user] = shown.users ?? [];
  if (user !== undefined)
    return unknown(`vCenter lists ${user} for it, which is not in this cluster: another cluster may have the same ID`);
  return { class: 'asked-for', why: `${what} requests its deletion, and nothing uses it` };
};

/** Whether this cluster may delete an object. The answer is no unless there is positive evidence. */
export const ownershipOf = (facts: OwnershipFacts): Ownership => {
  const { ground, shown, clusterId } = facts;
  if (facts.instanceUuid === '') return unknown('vCenter does not report its instance UUID');
  const stranger = shown?.clusterIds.find((id) => id !== clusterId);
  if (stranger !== undefined) return unknown(`vCenter lists it for cluster ${stranger}`);
  if (ground.kind === 'request') return ofRequest(facts, ground);
  return ground.kind === 'intent' ? ofIntent(facts, ground) : ofObject(facts, ground);
};
