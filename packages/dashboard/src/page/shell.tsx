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

/** Which part of the page an address belongs to. */
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
          <span class="hidden">Search by name, uid, IP, UUID or path</span>
          <input
            ref={box}
            type="search"
            placeholder="Search  /"
            value={isSearch ? route.path[1] : ''}
            onInput={({ currentTarget: { value } }) => {
              const to = value === '' ? '#/' : address(['search', value]);
              // Only the first letter is a step to go back to.
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
  const { connection } = state;
  const words = { connecting: 'connecting', live: 'live', lost: 'connection lost' } as const;
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
      <p class={`connection ${connection.state}`} role="status">
        {words[connection.state]}
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

/** Why nothing below can be trusted to be current; empty if it can. */
export const doubtOf = ({ connection, summary }: State): string => {
  if (connection.state === 'lost') return 'This page has lost the connection to its server';
  return summary && summary.stale !== '' ? 'The API server does not answer' : '';
};

/** The health in one word; when nobody knows it, that is said instead, in the same place and size. */
export const Headline = ({ state, summary }: { readonly state: State; readonly summary: Summary }) => {
  const doubt = doubtOf(state);
  const { connection, asOfMs } = state;
  if (doubt !== '')
    return (
      <div class="headline lost" role="alert">
        <p class="word" id="health">
          Not known
        </p>
        <p id="reason">
          {doubt}
          {connection.state === 'lost' ? (
            <>
              {' '}
              <Age sinceMs={connection.sinceMs + (serverNow() - Date.now())} suffix=" ago" />. It is trying again.
            </>
          ) : (
            `: ${summary.stale}`
          )}{' '}
          Everything below is as it was at {clockTime(asOfMs)}, when the state was {summary.health}.
        </p>
      </div>
    );
  return (
    <div class={`headline ${tones[summary.health] ?? 'warn'}`}>
      <p class="word" id="health" aria-live="polite">
        {summary.health === 'ActionRequired' ? 'Action required' : summary.health}
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
