import type { Fact } from './evidence.ts';

/** Evidence that is older than this is no longer accepted. */
export const evidenceLivesMs = 5_000;

/** One request for an irreversible act. All times are monotonic milliseconds of this process. */
export interface ActRecord {
  readonly attempt: string;
  /** `delete persistentvolumes`, `detach disk`. */
  readonly act: string;
  readonly subject: string;
  readonly attemptBeganMs: number;
  readonly sentMs: number;
  readonly evidence: readonly Fact[];
}

/** Records irreversible acts with their evidence: for the log, the metrics, and the simulation that searches for acts without evidence. */
export interface ActLog {
  record(record: ActRecord): void;
  /** The latest acts, oldest first. */
  records(): readonly ActRecord[];
}

export interface ActLogOptions {
  /** 1000 by default. */
  readonly limit?: number;
  readonly onAct?: (record: ActRecord) => void;
}

export const createActLog = ({ limit = 1_000, onAct }: ActLogOptions = {}): ActLog => {
  const kept: ActRecord[] = [];
  return {
    record: (record) => {
      kept.push(record);
      if (kept.length > limit) kept.shift();
      onAct?.(record);
    },
    records: () => [...kept],
  };
};

/** The problems of these acts: evidence from before the attempt, too old, or none at all. Empty if there are none. */
export const violationsOf = (records: readonly ActRecord[]): readonly string[] =>
  records.flatMap((record) => {
    const { act, subject, attemptBeganMs, sentMs, evidence } = record;
    const say = (problem: string) => `${act} ${subject} at ${sentMs} ms: ${problem}`;
    if (evidence.length === 0) return [say('no evidence')];
    return evidence.flatMap(({ what, readMs }) => [
      ...(readMs < attemptBeganMs
        ? [say(`${what} was read ${attemptBeganMs - readMs} ms before the attempt began`)]
        : []),
      ...(sentMs - readMs > evidenceLivesMs ? [say(`${what} was read ${sentMs - readMs} ms before`)] : []),
      ...(readMs > sentMs ? [say(`${what} was read ${readMs - sentMs} ms after`)] : []),
    ]);
  });
