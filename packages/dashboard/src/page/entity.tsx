import type { ComponentChildren } from 'preact';
import type { Attention } from '../rows/attention-row.ts';
import type { EventRow, Health } from '../rows/place-rows.ts';
import { AttentionList } from './attention.tsx';
import { EventItems } from './events-view.tsx';
import { CopyCommand, Dot, Section } from './parts.tsx';
import { eventsAbout } from './relations.ts';
import type { State } from './store.ts';

export interface EntityProps {
  readonly state: State;
  readonly kind: string;
  readonly name: string;
  readonly health: Health;
  readonly note: string;
  /** Where it is, from the top. */
  readonly trail?: ComponentChildren;
  /** `kind name` or `kind namespace/name`, as checks and events name it. */
  readonly objects: readonly string[];
  readonly commands: readonly string[];
  readonly children: ComponentChildren;
}

const causesAbout = (attention: readonly Attention[], objects: readonly string[]): readonly Attention[] =>
  attention.filter((cause) =>
    cause.objects.some(({ kind, namespace, name }) =>
      objects.includes(`${kind} ${namespace ? `${namespace}/` : ''}${name}`),
    ),
  );

const Events = ({ events }: { readonly events: readonly EventRow[] }) => (
  <Section title="Events" count={events.length}>
    <EventItems events={events.slice(0, 20)} />
  </Section>
);

/** The page of one thing: what it is, what is wrong, what it is related to, what happened to it. */
export const Entity = ({ state, kind, name, health, note, trail, objects, commands, children }: EntityProps) => {
  const causes = causesAbout(state.summary?.attention ?? [], objects);
  const events = eventsAbout(state, objects);
  return (
    <>
      <div class="head">
        {trail ? <p class="trail">{trail}</p> : ''}
        <h1>
          <Dot health={health} />
          <small>{kind}</small> {name}
        </h1>
        {note === '' ? '' : <p class={`note ${health}`}>{note}</p>}
      </div>
      <div class="grid">
        {causes.length > 0 ? (
          <Section title="Needs attention" count={causes.length} wide>
            <AttentionList attention={causes} limit={5} />
          </Section>
        ) : (
          ''
        )}
        {children}
        {events.length > 0 ? <Events events={events} /> : ''}
        {commands.length > 0 ? (
          <Section title="On the command line">
            {commands.map((command) => (
              <CopyCommand key={command} command={command} />
            ))}
          </Section>
        ) : (
          ''
        )}
      </div>
    </>
  );
};

export const NotFound = ({ what }: { readonly what: string }) => (
  <div class="head">
    <h1>Not here</h1>
    <p>
      {what} does not exist, or not any more.{' '}
      <a href={`#/search/${encodeURIComponent(what.split(' ').at(-1) ?? '')}`}>Search for it</a>, or go{' '}
      <a href="#/">to the overview</a>.
    </p>
  </div>
);
