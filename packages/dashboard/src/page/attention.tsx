import type { Attention } from '../rows/attention-row.ts';
import { plural, sentence } from './format.ts';
import { Age, CopyCommand, Link, ObjectLink, Some } from './parts.tsx';
import { address, addressOf } from './route.ts';

const words = { fail: 'Failing', warn: 'Warning', unknown: 'Unknown' } as const;

export const Severity = ({ severity }: Pick<Attention, 'severity'>) => (
  <span class={`pill ${severity}`}>{words[severity]}</span>
);

const Remedy = ({ remedy }: Pick<Attention, 'remedy'>) => (
  <div class="remedy">
    {remedy.commands.length > 0 ? (
      <>
        <p>{remedy.text}</p>
        {remedy.commands.map((command) => (
          <CopyCommand key={command} command={command} />
        ))}
      </>
    ) : (
      <CopyCommand command={remedy.text} />
    )}
    {remedy.docs ? <p class="quiet">Documentation: {remedy.docs}</p> : ''}
  </div>
);

/** One cause, the objects that it concerns, and the remedy. */
export const Cause = ({
  cause,
  objects = 6,
  heading: Heading = 'h3',
}: {
  readonly cause: Attention;
  readonly objects?: number;
  /** `none` on the page of the cause, whose own heading says the same. */
  readonly heading?: 'h2' | 'h3' | 'none';
}) => (
  <article class={`cause ${cause.severity}`} aria-label={cause.title}>
    {Heading === 'none' ? (
      ''
    ) : (
      <Heading>
        <Severity severity={cause.severity} /> <Link href={addressOf.cause(cause.key)}>{cause.title}</Link>
      </Heading>
    )}
    <p class="message">{sentence(cause.message)}</p>
    {cause.objects.length > 1 ? (
      <Some
        items={cause.objects}
        limit={objects}
        of={(object) => <ObjectLink object={object} />}
        more={addressOf.cause(cause.key)}
      />
    ) : (
      ''
    )}
    <Remedy remedy={cause.remedy} />
    <p class="quiet meta">
      {cause.checks.map((id) => (
        <Link key={id} href={addressOf.check(id)}>
          {id}
        </Link>
      ))}
      {cause.reason === '' ? '' : <Link href={address(['explain', cause.reason])}>{cause.reason}</Link>}
      {cause.hidden > 0 ? <span>{plural(cause.hidden, 'check')} without a result because of this</span> : ''}
      {cause.sinceMs === undefined ? (
        ''
      ) : (
        <span>
          for <Age sinceMs={cause.sinceMs} />
        </span>
      )}
      {cause.seenMs === undefined ? (
        <span>updated live</span>
      ) : (
        <span>
          checked <Age sinceMs={cause.seenMs} suffix=" ago" />
        </span>
      )}
    </p>
  </article>
);

export const AttentionList = ({
  attention,
  limit,
  heading = 'h3',
}: {
  readonly attention: readonly Attention[];
  readonly limit: number;
  readonly heading?: 'h2' | 'h3';
}) =>
  attention.length === 0 ? (
    <p class="allgood">Nothing. Every check that ran passed.</p>
  ) : (
    <div class="causes">
      {attention.slice(0, limit).map((cause) => (
        <Cause key={cause.key} cause={cause} heading={heading} />
      ))}
      {attention.length > limit ? (
        <p>
          <a href="#/attention">All {attention.length} causes</a>
        </p>
      ) : (
        ''
      )}
    </div>
  );
