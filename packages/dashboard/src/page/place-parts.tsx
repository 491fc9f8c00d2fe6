import type { NodeRow } from '../rows/place-rows.ts';
import { clusterAddress, mapAddress } from './map-tree.ts';
import { Empty, Link, Section } from './parts.tsx';
import { byNeed, volumeIndex } from './relations.ts';
import { addressOf } from './route.ts';
import type { State } from './store.ts';
import { VolumeTable, volumesTitle } from './volume-parts.tsx';

type Place = Pick<NodeRow, 'vcenter' | 'datacenter' | 'cluster' | 'host'>;

/** The path to an object, from the top. */
export const Trail = ({ vcenter, datacenter, cluster, host }: Place) => (
  <>
    {vcenter === undefined ? '' : <Link href={addressOf.vcenter(vcenter)}>{vcenter}</Link>}
    {datacenter === undefined || vcenter === undefined ? (
      ''
    ) : (
      <Link href={mapAddress({ vcenter, datacenter })}>{datacenter}</Link>
    )}
    {cluster === undefined || cluster === '' ? (
      ''
    ) : (
      <Link href={clusterAddress({ vcenter, datacenter, cluster })}>{cluster}</Link>
    )}
    {host === undefined ? '' : <Link href={addressOf.host(`${vcenter}/${host}`)}>{host}</Link>}
  </>
);

/** The volumes of a thing, as a table. */
export const Volumes = ({
  state,
  of,
  without,
}: {
  readonly state: State;
  /** A column that would have the same value in every row. */
  readonly without?: string;
  readonly of: readonly [
    keyof ReturnType<typeof volumeIndex> & ('byNode' | 'byDatastore' | 'byPolicy' | 'byPod'),
    string,
  ];
}) => {
  const rows = [...(volumeIndex(state)[of[0]].get(of[1]) ?? [])].sort(byNeed);
  return (
    <Section title="Volumes" count={rows.length} wide>
      {rows.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <>
          <p class="quiet">{volumesTitle(rows)}</p>
          <VolumeTable rows={rows} label="Volumes" {...(without === undefined ? {} : { without })} />
        </>
      )}
    </Section>
  );
};
