export interface WishedClaim {
  readonly name: string;
  sizeGi: number;
  /** What it was made from; nothing of that may go before it is bound. */
  readonly from?: string;
  /** Volume and disk, once it was seen bound. */
  volume?: string;
  disk?: string;
  deleted?: true;
}

export interface WishedSnapshot {
  readonly name: string;
  readonly claim: WishedClaim;
  readonly sizeGi: number;
  deleted?: true;
}

export interface WishedAttachment {
  readonly name: string;
  readonly claim: WishedClaim;
  readonly node: number;
  deleted?: true;
}

const isWanted = ({ deleted }: { readonly deleted?: true }): boolean => !deleted;

/** What the people of a cluster want by now. */
export const createWishes = () => {
  const all = {
    claims: [] as WishedClaim[],
    snapshots: [] as WishedSnapshot[],
    attachments: [] as WishedAttachment[],
  };
  let count = 0;
  const claims = () => all.claims.filter(isWanted);
  const snapshots = () => all.snapshots.filter(isWanted);
  const attachments = () => all.attachments.filter(isWanted);
  return {
    /** With those that were deleted. */
    all,
    claims,
    snapshots,
    attachments,
    /** Claims that were seen bound. */
    bound: () => claims().filter(({ disk }) => disk !== undefined),
    snapshotsOf: (claim: WishedClaim) => snapshots().filter((one) => one.claim === claim),
    isAttached: (claim: WishedClaim) => attachments().some((one) => one.claim === claim),
    /** A claim that is not bound yet is to be a copy of it. */
    isNeeded: ({ name }: { readonly name: string }) =>
      claims().some(({ from, disk }) => from === name && disk === undefined),
    named: (kind: string): string => {
      count += 1;
      return `${kind}-${count}`;
    },
  };
};

export type Wishes = ReturnType<typeof createWishes>;
