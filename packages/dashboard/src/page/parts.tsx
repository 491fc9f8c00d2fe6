import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ObjectRef } from '../rows/attention-row.ts';
import type { Health } from '../rows/place-rows.ts';
import { momentTime, plural, span } from './format.ts';
import { addressOfObject } from './route.ts';

const healthWords = { good: 'healthy', warn: 'warning', bad: 'problem', unknown: 'unknown' } as const;

/** Differs by shape as well as by colour. */
export const Dot = ({ health }: { readonly health: Health }) => (
  <span class={`dot ${health}`} role="img" aria-label={healthWords[health]} />
);

export const Link = ({ href, children }: { readonly href: string; readonly children: ComponentChildren }) => (
  <a href={href}>{children}</a>
);

export const ObjectLink = ({ object }: { readonly object: ObjectRef }) => {
  const { kind, name, namespace } = object;
  const href = addressOfObject(object);
  const text = `${namespace ? `${namespace}/` : ''}${name}`;
  const label = `${kind === 'VCenter' ? 'vCenter' : kind} ${text}`;
  return href === undefined ? <span>{label}</span> : <a href={href}>{label}</a>;
};

/** Times are those of the server; the difference to the clock of this browser is measured at each message. */
let aheadMs = 0;
export const setServerTime = (asOfMs: number): void => {
  aheadMs = asOfMs - Date.now();
};
export const serverNow = (): number => Date.now() + aheadMs;

const useTick = (everyMs: number): void => {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
};

/** A time since then, which updates by itself. */
export const Age = ({
  sinceMs,
  prefix = '',
  suffix = '',
}: {
  readonly sinceMs: number;
  readonly prefix?: string;
  readonly suffix?: string;
}) => {
  useTick(5_000);
  return (
    <time class="age" dateTime={new Date(sinceMs).toISOString()} title={new Date(sinceMs).toLocaleString('en-GB')}>
      {prefix}
      {span(serverNow() - sinceMs)}
      {suffix}
    </time>
  );
};

/** A point in time. */
export const Moment = ({ atMs }: { readonly atMs: number }) => (
  <time dateTime={new Date(atMs).toISOString()} title={new Date(atMs).toLocaleString('en-GB')}>
    {momentTime(atMs, serverNow())}
  </time>
);

export const CopyCommand = ({ command }: { readonly command: string }) => {
  const [state, setState] = useState('Copy');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(command);
      setState('Copied');
    } catch {
      setState('Copy failed');
    }
    setTimeout(() => setState('Copy'), 2_000);
  };
  return (
    <div class="command">
      <code>{command}</code>
      <button type="button" onClick={copy} aria-label={`${state}: ${command}`}>
        {state}
      </button>
    </div>
  );
};

/** Part of a whole, with its numbers for screen readers. */
export const Meter = ({
  used,
  total,
  label,
  health = 'good',
}: {
  readonly used: number;
  readonly total: number;
  readonly label: string;
  readonly health?: Health | 'busy';
}) => {
  const part = total > 0 ? Math.min(1, used / total) : 0;
  return (
    <span class={`meter ${health}`} role="img" aria-label={`${label}: ${Math.round(part * 100)} %`}>
      <span style={{ width: `${part * 100}%` }} />
    </span>
  );
};

export const Facts = ({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== undefined && value !== '' && value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

export const Section = ({
  title,
  count,
  wide = false,
  children,
}: {
  readonly title: string;
  readonly count?: number | undefined;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}) => (
  <section class={`card${wide ? ' wide' : ''}`} aria-label={title}>
    <h2>
      {title}
      {count === undefined ? '' : <small> {count.toLocaleString('en')}</small>}
    </h2>
    {children}
  </section>
);

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>;

/** The first items, and how many more there are. */
export const Some = <T,>({
  items,
  limit,
  of,
  more,
}: {
  readonly items: readonly T[];
  readonly limit: number;
  readonly of: (item: T) => ComponentChildren;
  readonly more?: string | undefined;
}) => (
  <ul class="list">
    {items.slice(0, limit).map((item, index) => (
      // The items have no key of their own.
      <li key={index}>{of(item)}</li>
    ))}
    {items.length > limit ? (
      <li>
        {more === undefined ? (
          `and ${items.length - limit} more`
        ) : (
          <a href={more}>and {plural(items.length - limit, 'more', 'more')}</a>
        )}
      </li>
    ) : (
      ''
    )}
  </ul>
);
