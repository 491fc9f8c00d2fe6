import type { KubeClient } from '@vdo/kube/client';
import { type ConfigMapState, createConfigMapState } from '@vdo/kube/config-map-state';
import type { CnsClient } from '@vdo/vsphere/cns/cns-client';

/**
 * What this cluster knows about the heartbeats with its ID. A heartbeat is a random word in the metadata of a volume in vCenter, as a label
 * of its PersistentVolume there. A copy of the cluster has the same state at first; after the next heartbeat of either of them, each finds
 * words that it did not write.
 */
export interface HeartbeatState {
  /** The last words of this cluster: each is recorded before it is sent, and may reach vCenter late or not at all. */
  readonly mine: readonly string[];
  /** Volumes with heartbeats, by vCenter. */
  readonly carriers: Readonly<Record<string, readonly string[]>>;
  /** The last seen words of other clusters, by volume. */
  readonly others: Readonly<Record<string, string>>;
  /** Number of heartbeats since a sign of another cluster was last seen. */
  readonly quietBeats: number;
  /** The sign that was last seen, as a clause. */
  readonly sign?: string;
}

/** Label of the PersistentVolume in vCenter. Drivers that do not know it remove it, which does no harm. */
export const heartbeatLabel = 'vdo.vmware.com/heartbeat';

export const beatMs = 300_000;

/** Each new leader writes a heartbeat immediately: while leaders change often, vCenter may be many words behind. */
const keptWords = 24;

/** After this number of heartbeats without a sign, the other cluster counts as gone. */
export const quietEnough = 3;

/** Where a cluster stores this state. */
export interface HeartbeatPlace {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Namespace of the ConfigMap. */
  readonly name: string;
  readonly key: string;
  readonly beforeSend?: () => void;
}

export const heartbeatStore = (place: HeartbeatPlace): ConfigMapState<HeartbeatState | undefined> =>
  createConfigMapState<HeartbeatState | undefined>(place, undefined);

/** The calls to a vCenter that are needed. */
export interface ShowsVolumes {
  readonly server: string;
  readonly cns: Pick<CnsClient, 'queryVolumes'>;
}

/** A volume that was checked, and its word. */
export interface Carrier {
  readonly server: string;
  readonly volumeId: string;
  readonly word: string;
}

/** The first volume with a word that is neither this cluster's nor a known old one. */
export const foreignAmong = (
  { mine, others }: Pick<HeartbeatState, 'mine' | 'others'>,
  carriers: readonly Carrier[],
): Carrier | undefined => carriers.find(({ volumeId, word }) => !mine.includes(word) && others[volumeId] !== word);

export const signOf = ({ volumeId, server }: Carrier): string =>
  `volume ${volumeId} on ${server} has a heartbeat of another cluster`;

export const isShared = ({ quietBeats }: HeartbeatState): boolean => quietBeats < quietEnough;

export interface Pulse {
  readonly word: string;
  /** The observed words. */
  readonly carriers: readonly Carrier[];
  /** Volumes that will get the word. */
  readonly own: readonly Pick<Carrier, 'server' | 'volumeId'>[];
  /** A volume that has appeared with a PersistentVolume of another cluster. */
  readonly foreignVolume?: string | undefined;
  /** True for a regular heartbeat, false for a check in between. */
  readonly isBeat: boolean;
}

const byServer = (carriers: Pulse['own']): Readonly<Record<string, readonly string[]>> => {
  const found: Record<string, readonly string[]> = {};
  for (const { server, volumeId } of carriers) found[server] = [...new Set(found[server]).add(volumeId)];
  return found;
};

const signOfForeignVolume = (volumeId: string): string =>
  `volume ${volumeId} has appeared with a PersistentVolume of another cluster`;

/** A cluster without a record does not know its own words: they look like those of a copy. */
const unnotedSign = (carrier: Carrier): string =>
  `${signOf(carrier)}, or it is this cluster's own and its record was deleted: this cluster has no earlier record`;

/** The state after a check. */
export const afterObservation = (state: HeartbeatState | undefined, pulse: Pulse): HeartbeatState => {
  const { word, carriers, own, foreignVolume, isBeat } = pulse;
  const mine = state?.mine ?? [];
  const foreign = foreignAmong({ mine, others: state?.others ?? {} }, carriers);
  const signOfForeign = state ? signOf : unnotedSign;
  const sign = foreign ? signOfForeign(foreign) : foreignVolume && signOfForeignVolume(foreignVolume);
  const quietBeats = sign ? 0 : Math.min(quietEnough, (state?.quietBeats ?? quietEnough) + (isBeat ? 1 : 0));
  const latest = sign ?? (quietBeats < quietEnough ? state?.sign : undefined);
  return {
    mine: [...mine, word].slice(-keptWords),
    carriers: byServer([...carriers, ...own]),
    others: Object.fromEntries(carriers.flatMap((one) => (mine.includes(one.word) ? [] : [[one.volumeId, one.word]]))),
    quietBeats,
    ...(latest === undefined ? {} : { sign: latest }),
  };
};
