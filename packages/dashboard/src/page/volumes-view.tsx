import type { VolumeRow } from '../rows/volume-row.ts';
import { plural } from './format.ts';
import { Age, Empty } from './parts.tsx';
import { volumeCounts, volumeIndex, volumeList } from './relations.ts';
import { address, type Route } from './route.ts';
import { matcher } from './search.ts';
import type { State } from './store.ts';
import { OrphanTable, VolumeTable } from './volume-parts.tsx';

const shows = {
  all: { title: 'All', none: 'No volume of the storage driver exists.', fits: () => true },
  problems: {
    title: 'Problems',
    none: 'No volume has a problem.',
    fits: ({ health }: VolumeRow) => health === 'bad' || health === 'warn',
  },
  busy: {
    title: 'In progress',
    none: 'No operation is in progress.',
    fits: ({ operations }: VolumeRow) => operations.length > 0,
  },
  waiting: {
    title: 'Waiting claims',
    none: 'No claim waits for a volume.',
    fits: ({ kind }: VolumeRow) => kind === 'claim',
  },
  orphans: { title: 'Orphans', none: 'No disk is orphaned.', fits: ({ kind }: VolumeRow) => kind === 'orphan' },
} as const;

export const VolumesView = ({ state, route }: { readonly state: State; readonly route: Route }) => {
  const query = route.query.get('q') ?? '';
  const asked = route.query.get('show') ?? 'all';
  const show = asked in shows ? (asked as keyof typeof shows) : 'all';
  const fits = matcher(query);
  const all = volumeList(state);
  const rows = all.filter((row) => shows[show].fits(row) && fits(row));
  const counts = volumeCounts(state);
  const numbers = {
    all: all.length,
    problems: counts.bad + counts.warn + counts.orphans,
    busy: volumeIndex(state).underWay.length,
    waiting: counts.waiting,
    orphans: counts.orphans,
  };
  const { inventoryAtMs = null } = state.summary ?? {};
  return (
    <>
      <div class="head">
        <h1>Volumes</h1>
        <p class="quiet">
          {inventoryAtMs === null ? (
            'The datastores of the disks are not known yet.'
          ) : (
            <>
              Disks were read from vCenter <Age sinceMs={inventoryAtMs} suffix=" ago" />; everything else is live.
            </>
          )}
        </p>
      </div>
      <div class="filters">
        <nav aria-label="Which volumes">
          {Object.entries(shows).map(([key, { title }]) => (
            <a
              key={key}
              class="chip"
              href={address(['volumes'], { show: key === 'all' ? '' : key, q: query })}
              aria-current={key === show ? 'page' : undefined}
            >
              {title} <small>{numbers[key as keyof typeof shows].toLocaleString('en')}</small>
            </a>
          ))}
        </nav>
        <label>
          <span class="hidden">Filter the volumes</span>
          <input
            type="search"
            placeholder="Filter by claim, disk, node, path…"
            value={query}
            onInput={({ currentTarget }) =>
              location.replace(address(['volumes'], { show: show === 'all' ? '' : show, q: currentTarget.value }))
            }
          />
        </label>
        <p class="quiet" role="status">
          {plural(rows.length, 'row')}
        </p>
      </div>
      {rows.length === 0 ? (
        <Empty>{query === '' ? shows[show].none : 'No volume matches this filter.'}</Empty>
      ) : show === 'orphans' ? (
        <OrphanTable rows={rows} />
      ) : (
        <VolumeTable rows={rows} label="Volumes" />
      )}
    </>
  );
};
