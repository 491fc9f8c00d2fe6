import type { EventRow } from '../rows/place-rows.ts';
import { Age, Empty, ObjectLink } from './parts.tsx';
import { eventList } from './relations.ts';
import { address, type Route } from './route.ts';
import type { State } from './store.ts';

export const EventItems = ({ events }: { readonly events: readonly EventRow[] }) =>
  events.length === 0 ? (
    <Empty>No event yet.</Empty>
  ) : (
    <ol class="events">
      {events.map((event) => (
        <li key={event.key} class={event.type}>
          {Number.isNaN(Date.parse(event.time)) ? <span /> : <Age sinceMs={Date.parse(event.time)} suffix=" ago" />}
          <p>
            <a class="reason" href={`#/explain/${encodeURIComponent(event.reason)}`}>
              {event.reason}
            </a>{' '}
            <ObjectLink object={event.object} />
            {event.count > 1 ? ` (${event.count} times)` : ''}
            <span class="message">{event.message}</span>
          </p>
        </li>
      ))}
    </ol>
  );

export const EventsView = ({ state, route }: { readonly state: State; readonly route: Route }) => {
  const only = route.query.get('type') === 'Warning';
  const events = eventList(state).filter(({ type }) => !only || type === 'Warning');
  return (
    <>
      <div class="head">
        <h1>Events</h1>
        <p class="quiet">The newest 500 events of the operator and the drivers that Kubernetes still keeps.</p>
      </div>
      <div class="filters">
        <nav aria-label="Which events">
          <a class="chip" href="#/events" aria-current={only ? undefined : 'page'}>
            All
          </a>
          <a class="chip" href={address(['events'], { type: 'Warning' })} aria-current={only ? 'page' : undefined}>
            Warnings
          </a>
        </nav>
      </div>
      <section class="card" aria-label="Events">
        <EventItems events={events} />
      </section>
    </>
  );
};
