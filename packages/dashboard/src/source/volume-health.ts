import type { Health } from '../rows/place-rows.ts';
import type { Operation, VolumeRow } from '../rows/volume-row.ts';

/** Until then an operation counts as normal. */
const slowAfterMs = 120_000;

interface Verdict {
  readonly health: Health;
  readonly note: string;
}

const verbs: Readonly<Record<Operation['what'], string>> = {
  create: 'being created',
  attach: 'being attached',
  mount: 'being mounted',
  detach: 'being detached',
  expand: 'being expanded',
  delete: 'being deleted',
  snapshot: 'taking a snapshot',
};
const tries: Readonly<Record<Operation['what'], string>> = {
  create: 'cannot be created',
  attach: 'cannot be attached',
  mount: 'cannot be mounted',
  detach: 'cannot be detached',
  expand: 'cannot be expanded',
  delete: 'cannot be deleted',
  snapshot: 'cannot take a snapshot',
};

const towards: Readonly<Partial<Record<Operation['what'], string>>> = { attach: 'to', detach: 'from' };

const ofOperation = ({ what, sinceMs, on, error }: Operation, nowMs: number): Verdict => {
  const where = on === undefined ? '' : what === 'snapshot' ? ` (${on})` : ` ${towards[what] ?? 'on'} ${on}`;
  if (error !== undefined) return { health: 'bad', note: `${tries[what]}${where}: ${error}` };
  const isSlow = nowMs - sinceMs > slowAfterMs;
  return isSlow ? { health: 'warn', note: `${verbs[what]}${where} for a long time` } : { health: 'good', note: '' };
};

const ofPhase = ({ kind, phase, reclaim }: VolumeRow): Verdict | undefined => {
  if (kind === 'orphan') return { health: 'warn', note: 'no PersistentVolume uses this disk' };
  if (phase === 'Failed') return { health: 'bad', note: 'the PersistentVolume has failed' };
  if (phase === 'Lost') return { health: 'bad', note: 'the claim has lost its PersistentVolume' };
  if (phase === 'Released' && reclaim === 'Retain') return { health: 'warn', note: 'released and kept (Retain)' };
  return undefined;
};

const ofDisk = ({ diskHealth }: VolumeRow, datastoreProblem: string): Verdict | undefined => {
  if (datastoreProblem !== '') return { health: 'bad', note: datastoreProblem };
  if (diskHealth === 'red') return { health: 'bad', note: 'vCenter reports the disk health as red' };
  if (diskHealth === 'yellow') return { health: 'warn', note: 'vCenter reports the disk health as yellow' };
  return undefined;
};

const order: readonly Health[] = ['bad', 'warn', 'unknown', 'good'];

/** The worst that is known about a volume. */
export const volumeHealth = (row: VolumeRow, input: { readonly nowMs: number; readonly datastoreProblem: string }) => {
  const verdicts = [
    ofPhase(row),
    ofDisk(row, input.datastoreProblem),
    ...row.operations.map((operation) => ofOperation(operation, input.nowMs)),
  ].filter((verdict) => verdict !== undefined);
  const [worst] = verdicts.sort((left, right) => order.indexOf(left.health) - order.indexOf(right.health));
  return worst ?? { health: 'good' as const, note: '' };
};
