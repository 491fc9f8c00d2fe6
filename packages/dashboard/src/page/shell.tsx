import { useEffect, useRef, useState } from 'preact/hooks';
import type { Summary } from '../model.ts';
import { clockTime, sentence } from './format.ts';
import { Age, serverNow } from './parts.tsx';
import { address, type Route } from './route.ts';
import type { State } from './store.ts';

const views = [
  ['', 'Overview'],
  ['map', 'Map'],
  ['volumes', 'Volumes'],
  ['nodes', 'Nodes'],
  ['storage', 'Storage'],
  ['time', 'Time'],
] as const;

/** The entry of the navigation that an address belongs to. */
const partOf: Readonly<Record<string, string>> = {
  volume: 'volumes',
  claim: 'volumes',
  orphan: 'volumes',
  pod: 'volumes',
  node: 'nodes',
  host: 'map',
  vcenter: 'map',
  datastore: 'storage',
  policy: 'storage',
  cause: '',
  attention: '',
  events: 'time',
  check: '',
};

const themes = ['system', 'light', 'dark'] as const;
const themeKey = 'vdo-theme';
const isTheme = (text: string | null): text is (typeof themes)[number] => themes.some((theme) => theme === text);

export const applyTheme = (): (typeof themes)[number] => {
  const kept = localStorage.getItem(themeKey);
  const theme = isTheme(kept) ? kept : 'system';
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  return theme;
};

const ThemeChoice = () => {
  const [theme, setTheme] = useState(applyTheme);
  return (
    <label class="theme">
      <span class="hidden">Theme</span>
      <select
        value={theme}
        onChange={({ currentTarget }) => {
          localStorage.setItem(themeKey, currentTarget.value);
          setTheme(applyTheme());
        }}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {one[0]?.toUpperCase()}
            {one.slice(1)}
          </option>
        ))}
      </select>
    </label>
  );
};

const SearchBox = ({ route }: { readonly route: Route }) => {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.key !== '/' || target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const isSearch = route.path[0] === 'search';
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          location.hash = address(['search', box.current?.value ?? '']);
        }}
      >
        <label>
          <span class="hidden">Search by name, UID, IP address, UUID or path</span>
          <input
            ref={box}
            type="search"
            placeholder="Search  /"
            value={isSearch ? route.path[1] : ''}
            onInput={({ currentTarget: { value } }) => {
              const to = value === '' ? '#/' : address(['search', value]);
              // Only the first letter adds a step to the history of the browser.
              if (isSearch) location.replace(to);
              else location.hash = to;
            }}
          />
        </label>
      </form>
    </search>
  );
};

export const Header = ({ state, route }: { readonly state: State; readonly route: Route }) => {
  const at = route.path[0] ?? '';
  const part = partOf[at] ?? at;
  const isStale = state.connection.state === 'live' && doubtOf(state) !== '';
  const connection = isStale ? 'stale' : state.connection.state;
  const words = {
    connecting: 'connecting',
    live: 'live',
    lost: 'connection lost',
    stale: 'no API server',
  } as const;
  return (
    <header class="bar">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <p class="brand">
        <a href="#/">vSphere drivers</a> <span>{state.summary?.cluster ?? ''}</span>
      </p>
      <nav aria-label="Views">
        {views.map(([key, title]) => (
          <a key={key} href={`#/${key}`} aria-current={key === part ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <SearchBox route={route} />
      <ThemeChoice />
      <p class={`connection ${connection}`} role="status">
        {words[connection]}
      </p>
    </header>
  );
};

const tones: Readonly<Record<string, string>> = {
  Healthy: 'good',
  Progressing: 'busy',
  Removing: 'busy',
  Attention: 'warn',
  Degraded: 'warn',
  Absent: 'warn',
  Unavailable: 'bad',
  ActionRequired: 'bad',
};

/** The word of a state, as people write it. */
const wordOf = (health: Summary['health']): string => (health === 'ActionRequired' ? 'Action required' : health);

/** Why the facts on the page may be out of date; empty if they are current. */
export const doubtOf = ({ connection, summary }: State): string => {
  if (connection.state === 'lost') return 'This page lost the connection to its server';
  return summary && summary.stale !== '' ? 'The API server does not answer' : '';
};

interface HeadlineProps {
  readonly state: State;
  readonly summary: Summary;
  /** Large on the overview; smaller where the view below has a title of its own. */
  readonly isLarge: boolean;
}

/** The health in one word; while it is not known, “Unknown” in the same position and size. */
export const Headline = ({ state, summary, isLarge }: HeadlineProps) => {
  const size = isLarge ? '' : ' small';
  const doubt = doubtOf(state);
  const { connection, asOfMs } = state;
  if (doubt !== '')
    return (
      <div class={`headline lost${size}`} role="alert">
        <p class="word" id="health">
          Unknown
        </p>
        <p id="reason">
          {doubt}
          {connection.state === 'lost' ? (
            <>
              {' '}
              <Age sinceMs={connection.sinceMs + (serverNow() - Date.now())} suffix=" ago" /> and tries to reconnect.
            </>
          ) : (
            `: ${summary.stale}`
          )}{' '}
          Everything below is from {clockTime(asOfMs)}, when the state was {wordOf(summary.health)}.
        </p>
      </div>
    );
  return (
    <div class={`headline ${tones[summary.health] ?? 'warn'}${size}`}>
      <p class="word" id="health" aria-live="polite">
        {wordOf(summary.health)}
      </p>
      <p id="reason">
        {sentence(summary.reason || 'Everything runs')}
        {summary.checks?.lastRunTime ? (
          <span class="quiet">
            {' '}
            Checked <Age sinceMs={Date.parse(summary.checks.lastRunTime)} suffix=" ago" />.
          </span>
        ) : (
          ''
        )}
      </p>
    </div>
  );
};
