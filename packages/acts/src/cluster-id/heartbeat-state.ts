import type { KubeClient } from '@vdo/kube/client';
import { type ConfigMapState, createConfigMapState } from '@vdo/kube/config-map-state';
import type { CnsClient } from '@vdo/vsphere/cns/cns-client';

/**
 * What this cluster knows of the heartbeats under its id. A heartbeat is a random word that a volume carries in vCenter, as a label of its
 * PersistentVolume there. A copy of the cluster has the same state at first; from the next beat of either on, each finds words that it
 * did not write.
 */
export interface HeartbeatState {
  /** The last words of this cluster: one is noted before it is sent, and may reach vCenter late or not at all. */
  readonly mine: readonly string[];
  /** Volumes that carry heartbeats, by vCenter. */
  readonly carriers: Readonly<Record<string, readonly string[]>>;
  /** The words of others, by the volume that carries them, as they were when last seen. */
  readonly others: Readonly<Record<string, string>>;
  /** Beats since a sign of another cluster was last seen. */
  readonly quietBeats: number;
  /** The sign that was seen last: a clause. */
  readonly sign?: string;
}

/** Label of the PersistentVolume in vCenter. Drivers that do not know it take it away, which harms nobody. */
export const heartbeatLabel = 'vdo.vmware.com/heartbeat';

export const beatMs = 300_000;

/** Each new leader beats at once: while Leases are lost and taken, vCenter may be many words behind. */
const keptWords = 24;

/** After so many beats without a sign of it, another cluster is gone. */
export const quietEnough = 3;

/** Where a cluster notes what it knows. */
export interface HeartbeatPlace {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Of the ConfigMap. */
  readonly name: string;
  readonly key: string;
  readonly beforeSend?: () => void;
}

export const heartbeatStore = (place: HeartbeatPlace): ConfigMapState<HeartbeatState | undefined> =>
  createConfigMapState<HeartbeatState | undefined>(place, undefined);

/** What is asked of a vCenter. */
export interface ShowsVolumes {
  readonly server: string;
  readonly cns: Pick<CnsClient, 'queryVolumes'>;
}

/** A volume that was looked at, and the word that it carries. */
export interface Carrier {
  readonly server: string;
  readonly volumeId: string;
  readonly word: string;
}

/** The first carrier of a word that is neither ours nor known to be an old one. */
export const foreignAmong = (
  { mine, others }: Pick<HeartbeatState, 'mine' | 'others'>,
  carriers: readonly Carrier[],
): Carrier | undefined => carriers.find(({ volumeId, word }) => !mine.includes(word) && others[volumeId] !== word);

export const signOf = ({ volumeId, server }: Carrier): string =>
  `volume ${volumeId} on ${server} has a heartbeat of another cluster`;

export const isShared = ({ quietBeats }: HeartbeatState): boolean => quietBeats < quietEnough;

export interface Pulse {
  readonly word: string;
  /** What was seen. */
  readonly carriers: readonly Carrier[];
  /** Volumes that are about to carry the word. */
  readonly own: readonly Pick<Carrier, 'server' | 'volumeId'>[];
  /** A volume that has appeared with a PersistentVolume that is not of this cluster. */
  readonly stranger?: string | undefined;
  /** A beat of the clock, not a look in between. */
  readonly isBeat: boolean;
}

const byServer = (carriers: Pulse['own']): Readonly<Record<string, readonly string[]>> => {
  const found: Record<string, readonly string[]> = {};
  for (const { server, volumeId } of carriers) found[server] = [...new Set(found[server]).add(volumeId)];
  return found;
};

const strangeSign = (volumeId: string): string =>
  `volume ${volumeId} has appeared with a PersistentVolume of another cluster`;

/** A cluster without a note does not know its own words: they look like those of a copy. */
const unnotedSign = (carrier: Carrier): string =>
  `${signOf(carrier)}, or it is this cluster's own and its record was deleted: this cluster has no earlier record`;

/** What is known after a look. */
export const afterObservation = (state: HeartbeatState | undefined, pulse: Pulse): HeartbeatState => {
  const { word, carriers, own, stranger, isBeat } = pulse;
  const mine = state?.mine ?? [];
  const foreign = foreignAmong({ mine, others: state?.others ?? {} }, carriers);
  const signOfForeign = state ? signOf : unnotedSign;
  const sign = foreign ? signOfForeign(foreign) : stranger && strangeSign(stranger);
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
