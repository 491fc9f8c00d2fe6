import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Update } from '../model.ts';
import { EventsView } from './events-view.tsx';
import { GettingStarted } from './getting-started.tsx';
import { AttentionView, CauseView, CheckView, NodesView, SearchView, StorageView } from './list-views.tsx';
import { MapView } from './map-view.tsx';
import { Overview } from './overview.tsx';
import { setServerTime } from './parts.tsx';
import { HostPage, NodePage, PodPage, VCenterPage } from './place-pages.tsx';
import { prepare } from './prepare.ts';
import { parseRoute, type Route } from './route.ts';
import { applyTheme, doubtOf, Header, Headline } from './shell.tsx';
import { DatastorePage, PolicyPage } from './storage-pages.tsx';
import { initialState, type State, takeUpdate } from './store.ts';
import { followServer } from './stream.ts';
import { TimeView } from './time-view.tsx';
import { claimRow, VolumePage } from './volume-page.tsx';
import { VolumesView } from './volumes-view.tsx';

type Props = { readonly state: State; readonly route: Route };

const View = ({ state, route }: Props) => {
  const [view = '', ...rest] = route.path;
  const key = rest.join('/');
  const { rows, summary } = state;
  switch (view) {
    case 'map':
      return <MapView state={state} route={route} />;
    case 'volumes':
      return <VolumesView state={state} route={route} />;
    case 'volume':
    case 'orphan':
      return <VolumePage state={state} row={rows.volumes.get(`${view}/${key}`)} />;
    case 'claim':
      return <VolumePage state={state} row={claimRow(state, key)} />;
    case 'nodes':
      return <NodesView state={state} route={route} />;
    case 'node':
      return <NodePage state={state} node={rows.nodes.get(key)} />;
    case 'host':
      return <HostPage state={state} host={rows.hosts.get(key)} />;
    case 'vcenter':
      return <VCenterPage state={state} name={key} />;
    case 'storage':
      return <StorageView state={state} route={route} />;
    case 'datastore':
      return <DatastorePage state={state} datastore={rows.datastores.get(key)} />;
    case 'policy':
      return <PolicyPage state={state} policy={rows.policies.get(key)} />;
    case 'pod':
      return <PodPage state={state} pod={key} />;
    case 'time':
      return <TimeView state={state} route={route} />;
    case 'events':
      return <EventsView state={state} route={route} />;
    case 'attention':
      return <AttentionView state={state} route={route} />;
    case 'cause':
      return <CauseView state={state} route={route} />;
    case 'check':
    case 'explain':
      return <CheckView state={state} route={route} />;
    case 'search':
      return <SearchView state={state} route={route} />;
    default:
      return summary ? <Overview state={state} summary={summary} /> : null;
  }
};

const Content = ({ state, route }: Props) => {
  const { summary } = state;
  if (!summary) return <h1>{state.connection.state === 'lost' ? 'The server does not answer' : 'Connecting…'}</h1>;
  const isAbsent = summary.setup === 'not-installed' || summary.setup === 'not-configured';
  if (isAbsent && route.path.length === 0 && doubtOf(state) === '') return <GettingStarted setup={summary.setup} />;
  return (
    <>
      {route.path.length === 0 ? <h1 class="hidden">Overview</h1> : ''}
      <Headline state={state} summary={summary} isLarge={route.path.length === 0} />
      <View state={state} route={route} />
    </>
  );
};

const titleOf = (state: State, { path }: Route): string => {
  const doubt = doubtOf(state);
  const word = doubt === '' ? (state.summary?.health ?? 'Connecting') : 'Unknown';
  return [word, path.join(' '), 'VDO'].filter((part) => part !== '').join(' – ');
};

const App = () => {
  const [state, setState] = useState(initialState);
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    followServer({
      onUpdate: (update: Update) => {
        setServerTime(update.asOfMs);
        setState((before) => takeUpdate(before, update));
      },
      onLost: () =>
        setState((before) =>
          before.connection.state === 'lost'
            ? before
            : { ...before, connection: { state: 'lost', sinceMs: Date.now() } },
        ),
    });
    addEventListener('hashchange', () => setRoute(parseRoute(location.hash)));
  }, []);
  const path = route.path.join('/');
  const isTyping = route.path[0] === 'search';
  const shown = useRef(path);
  // A new view begins at its top, also for a screen reader; filters and searches leave the focus where it is.
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    if (isTyping) return;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path, isTyping]);
  // Not at each change: most of what was prepared stays valid.
  useEffect(() => prepare(state), [state.rows, state.rows.volumes.size]);
  useEffect(() => {
    document.title = titleOf(state, route);
    document.body.dataset['doubt'] = doubtOf(state) === '' ? 'no' : 'yes';
  });
  return (
    <>
      <Header state={state} route={route} />
      <main id="main" tabIndex={-1} ref={main}>
        <Content state={state} route={route} />
      </main>
    </>
  );
};

applyTheme();
const place = document.getElementById('app');
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
