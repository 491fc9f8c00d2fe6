import type { ComponentChildren } from 'preact';
import type { Attention } from '../rows/attention-row.ts';
import type { Health } from '../rows/place-rows.ts';
import { AttentionList } from './attention.tsx';
import { sentence } from './format.ts';
import { CopyCommand, Dot, Section } from './parts.tsx';
import type { State } from './store.ts';
import { linesAbout, withRuns } from './time-facts.ts';
import { Lines } from './time-parts.tsx';

export interface EntityProps {
  readonly state: State;
  readonly kind: string;
  readonly name: string;
  readonly health: Health;
  readonly note: string;
  /** The path to it, from the top. */
  readonly trail?: ComponentChildren;
  /** `kind name` or `kind namespace/name`, as checks and events name it. */
  readonly objects: readonly string[];
  readonly commands: readonly string[];
  readonly children: ComponentChildren;
  /** Sections of full width, below the others. */
  readonly wide?: ComponentChildren;
}

const causesAbout = (attention: readonly Attention[], objects: readonly string[]): readonly Attention[] =>
  attention.filter((cause) =>
    cause.objects.some(({ kind, namespace, name }) =>
      objects.includes(`${kind} ${namespace ? `${namespace}/` : ''}${name}`),
    ),
  );

const shownLines = 20;

/** The page of one object: what it is, what is wrong, its relations, and what happened to it. */
export const Entity = (props: EntityProps) => {
  const { state, kind, name, health, note, trail, objects, commands, children, wide } = props;
  const causes = causesAbout(state.summary?.attention ?? [], objects);
  // The page is about this object, so no line names it again.
  const happened = withRuns(linesAbout(state, objects)).map(({ object: _, ...line }) => line);
  return (
    <>
      <div class="head">
        {trail ? <p class="trail">{trail}</p> : ''}
        <h1>
          <Dot health={health} />
          <small>{kind}</small> {name}
        </h1>
        {note === '' || causes.some(({ message }) => message === note) ? (
          ''
        ) : (
          <p class={`note ${health}`}>{sentence(note)}</p>
        )}
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
        {commands.length > 0 ? (
          <Section title="On the command line">
            {commands.map((command) => (
              <CopyCommand key={command} command={command} />
            ))}
          </Section>
        ) : (
          ''
        )}
        {happened.length > 0 ? (
          <Section title="What happened" count={happened.length}>
            <Lines list={happened.slice(0, shownLines)} state={state} />
          </Section>
        ) : (
          ''
        )}
        {wide}
      </div>
    </>
  );
};

export const NotFound = ({ what }: { readonly what: string }) => (
  <div class="head">
    <h1>Not found</h1>
    <p>
      {what} does not exist, or was deleted.{' '}
      <a href={`#/search/${encodeURIComponent(what.split(' ').at(-1) ?? '')}`}>Search for it</a>, or go to{' '}
      <a href="#/">the overview</a>.
    </p>
  </div>
);
