import type { VolumeRow } from '../rows/volume-row.ts';
import { plural } from './format.ts';
import { Age, Empty } from './parts.tsx';
import { volumeCounts, volumeIndex, volumeList } from './relations.ts';
import { address, type Route } from './route.ts';
import { matcher } from './search.ts';
import type { State } from './store.ts';
import { VolumeTable } from './volume-parts.tsx';

const shows = {
  all: { title: 'All', fits: () => true },
  problems: { title: 'Problems', fits: ({ health }: VolumeRow) => health === 'bad' || health === 'warn' },
  busy: { title: 'Under way', fits: ({ operations }: VolumeRow) => operations.length > 0 },
  waiting: { title: 'Waiting claims', fits: ({ kind }: VolumeRow) => kind === 'claim' },
  orphans: { title: 'Orphans', fits: ({ kind }: VolumeRow) => kind === 'orphan' },
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
            'Where the disks are is not known yet.'
          ) : (
            <>
              Disks as vCenter showed them <Age sinceMs={inventoryAtMs} suffix=" ago" />; everything else is live.
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
      {rows.length === 0 ? <Empty>No volume fits.</Empty> : <VolumeTable rows={rows} label="Volumes" />}
    </>
  );
};
