import type { SnapshotFact, VolumeRow } from '../rows/volume-row.ts';
import { size } from './format.ts';
import { Age, Dot, Link } from './parts.tsx';
import { volumeIndex } from './relations.ts';
import { addressOf } from './route.ts';
import type { State } from './store.ts';

/** Deeper copies of copies are shown on the page of a copy. */
const deepest = 4;

const clonesOf = (state: State, { claim }: VolumeRow): readonly VolumeRow[] =>
  claim === undefined ? [] : (volumeIndex(state).byOrigin.get(`PersistentVolumeClaim ${claim}`) ?? []);

export const hasDescent = (state: State, row: VolumeRow): boolean =>
  row.snapshots.length > 0 || clonesOf(state, row).length > 0;

interface CopyProps {
  readonly state: State;
  readonly how: 'restored' | 'cloned';
  readonly claim: string;
  readonly depth: number;
}

const Copy = ({ state, how, claim, depth }: CopyProps) => {
  const row = volumeIndex(state).byClaim.get(claim);
  return (
    <li>
      {row ? <Dot health={row.health} /> : ''}
      {how} as <Link href={addressOf.claim(claim)}>{claim}</Link>
      {row ? <span class="quiet">, {size(row.size)}</span> : ''}
      {row && depth < deepest && hasDescent(state, row) ? <Descent state={state} row={row} depth={depth + 1} /> : ''}
    </li>
  );
};

const About = ({ snapshot: { name, ready, size: bytes, createdMs, error } }: { readonly snapshot: SnapshotFact }) => (
  <>
    <Dot health={error === undefined ? 'good' : 'bad'} />
    <b>{name}</b>{' '}
    <span class="quiet">
      {ready ? '' : 'not ready, '}
      {bytes === undefined ? '' : `${size(bytes)}, `}
      <Age sinceMs={createdMs} suffix=" old" />
    </span>
    {error === undefined ? '' : <span class="error">{error}</span>}
  </>
);

/** The snapshots of a volume with what was restored from each, its clones, and their snapshots in turn, as a tree. */
export const Descent = ({
  state,
  row,
  depth = 1,
}: {
  readonly state: State;
  readonly row: VolumeRow;
  readonly depth?: number;
}) => (
  <ul class="tree">
    {row.snapshots.map((snapshot) => (
      <li key={snapshot.name}>
        <About snapshot={snapshot} />
        {snapshot.restored.length === 0 ? (
          ''
        ) : (
          <ul class="tree">
            {snapshot.restored.map((claim) => (
              <Copy key={claim} state={state} how="restored" claim={claim} depth={depth} />
            ))}
          </ul>
        )}
      </li>
    ))}
    {clonesOf(state, row).map(({ claim = '' }) => (
      <Copy key={claim} state={state} how="cloned" claim={claim} depth={depth} />
    ))}
  </ul>
);
