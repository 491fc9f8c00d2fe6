// Draws the facts that the server streams. All text goes in as text, never as markup.
const byId = (id) => document.getElementById(id);

const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined && child !== ''));
  return made;
};

/** Redraws a part only if its facts changed: what the reader has opened, selected or focused stays. */
const drawn = new Map();
const draw = (id, facts, children) => {
  const text = JSON.stringify(facts);
  if (drawn.get(id) === text) return;
  drawn.set(id, text);
  byId(id).replaceChildren(...children());
};

const age = (time, now) => {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (Number.isNaN(seconds)) return '';
  if (seconds < 120) return `${seconds} s ago`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
};

const copyButton = (text) => {
  const button = element('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Select it by hand';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  return button;
};

const tile = (name, value, note) =>
  element('div', {}, element('dt', {}, name), element('dd', {}, value, note ? element('small', {}, ` ${note}`) : ''));

const tiles = ({ nodes, volumes, checks, versions }) => [
  tile('Nodes initialised', `${nodes.initialized} of ${nodes.total}`),
  tile('Volumes bound', `${volumes.bound} of ${volumes.total}`, volumes.failed > 0 ? `${volumes.failed} failed` : ''),
  checks
    ? tile('Checks passed', `${checks.pass}`, `${checks.fail} failed, ${checks.warn} warn, ${checks.unknown} unknown`)
    : tile('Checks passed', '–', 'not run yet'),
  tile('Kubernetes', versions.kubernetes ?? 'unknown'),
  ...(versions.vcenters ?? []).map(({ server, version, build }) =>
    tile(server, version ?? 'unknown', build ? `build ${build}` : ''),
  ),
];

const failingCard = ({ id, result, object, message, remedy }) =>
  element(
    'li',
    { 'data-result': result },
    element('h3', {}, `${result}: ${object ? `${object.kind} ${object.name}` : id}`, element('small', {}, `  ${id}`)),
    element('p', {}, message),
    element('div', { class: 'remedy' }, element('code', {}, remedy), copyButton(remedy)),
  );

const fine = () => element('li', { class: 'fine' }, element('p', {}, 'Nothing: every check that ran is fine.'));

const count = (ready) => (ready ? `${ready.ready} of ${ready.desired}` : '–');

const rollout = ({ target, controllers, nodes }) => {
  const parts = [controllers, nodes].filter(Boolean);
  const ready = parts.reduce((sum, part) => sum + part.ready, 0);
  const desired = parts.reduce((sum, part) => sum + part.desired, 0);
  if (!target && ready === desired) return 'complete';
  const label = `${target ? `to ${target}, ` : ''}${ready} of ${desired} pods ready`;
  return element(
    'span',
    {},
    element('progress', { max: `${Math.max(1, desired)}`, value: `${ready}`, 'aria-label': label }),
    ` ${label}`,
  );
};

const driverRow = (driver) =>
  element(
    'tr',
    {},
    element('th', { scope: 'row' }, driver.kind),
    element('td', {}, driver.distribution ?? '–'),
    element('td', {}, driver.version ?? '–', driver.available ? ` (${driver.available} is available)` : ''),
    element('td', {}, count(driver.controllers)),
    element('td', {}, count(driver.nodes)),
    element('td', {}, rollout(driver)),
  );

/** These say something bad when they hold. */
const badWhenTrue = new Set(['Degraded', 'Stalled', 'Progressing']);
const conditionClass = ({ type, status }) => {
  if (status === 'Unknown') return 'unknown';
  return (status === 'True') === badWhenTrue.has(type) ? 'bad' : 'good';
};
const conditionItem = (condition) =>
  element(
    'li',
    {},
    element(
      'b',
      {},
      condition.type,
      element('span', { class: conditionClass(condition) }, `${condition.status}, ${condition.reason}`),
    ),
    condition.message ? element('p', {}, condition.message) : '',
  );

const eventItem = (now) => (event) =>
  element(
    'li',
    {},
    element('time', { datetime: event.time }, age(event.time, now)),
    element(
      'p',
      {},
      element('strong', { class: event.type }, event.reason),
      ` ${event.object}${event.count > 1 ? ` (${event.count} times)` : ''}: ${event.message}`,
    ),
  );

const healthWords = { good: 'fine', bad: 'has a problem', unknown: 'unknown' };
const placeLabel = ({ kind, name, health, note }) => [
  element('span', { class: `dot ${health}`, role: 'img', 'aria-label': healthWords[health] }),
  element('span', { class: 'kind' }, `${kind} `),
  element('span', { class: 'name' }, name),
  note ? element('small', { class: 'note' }, note) : '',
];
const nodesIn = ({ kind, children }) =>
  kind === 'Node' ? 1 : children.reduce((sum, child) => sum + nodesIn(child), 0);

/** What the reader has opened or closed stays so when the map is drawn anew. */
const opened = new Map();
/** A big map begins closed where all is well. */
const manyNodes = 60;
const branch = (place, path, isBig) => {
  const nodes = nodesIn(place);
  const details = element(
    'details',
    {},
    element('summary', {}, ...placeLabel(place), element('small', {}, `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`)),
    placeList(place.children, path, isBig),
  );
  details.open = opened.get(path) ?? !(isBig && place.kind === 'Cluster' && place.health === 'good');
  details.addEventListener('toggle', () => opened.set(path, details.open));
  return details;
};
const leaf = (place) =>
  place.kind === 'Host'
    ? element(
        'div',
        { class: 'host' },
        element('p', {}, ...placeLabel(place)),
        element('ul', {}, ...place.children.map((node) => element('li', {}, ...placeLabel(node)))),
      )
    : element('p', {}, ...placeLabel(place));
const placeItem = (place, above, isBig) => {
  const path = `${above}/${place.name}`;
  const isBranch = place.kind !== 'Host' && place.children.length > 0;
  return element('li', {}, isBranch ? branch(place, path, isBig) : leaf(place));
};
const placeList = (places, path, isBig) =>
  element(
    'ul',
    { class: places.some(({ kind }) => kind === 'Host') ? 'hosts' : 'places' },
    ...places.map((place) => placeItem(place, path, isBig)),
  );
const map = (topology) => {
  if (topology.length === 0) return [element('p', {}, 'No node yet.')];
  const isBig = topology.reduce((sum, place) => sum + nodesIn(place), 0) > manyNodes;
  const known = topology.filter(({ kind }) => kind !== 'Node');
  const lost = topology.filter(({ kind }) => kind === 'Node');
  return [
    ...(known.length > 0 ? [placeList(known, '', isBig)] : []),
    ...(lost.length > 0
      ? [
          element('h3', {}, 'Nodes whose VM is not known'),
          element('ul', { class: 'lost' }, ...lost.map((place) => placeItem(place, '', isBig))),
        ]
      : []),
  ];
};

const svgElement = (tag, attributes) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

/** Places for bars: as many as readings are kept. */
const slots = 120;
const span = (ms) => {
  if (ms < 120000) return `${Math.round(ms / 1000)} s`;
  const minutes = Math.round(ms / 60000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
};

const plot = (title, unit, { samples, everyMs }, pick) => {
  const values = samples.map(pick);
  const known = values.filter((value) => value !== null);
  const top = Math.max(1, ...known);
  const last = values.at(-1) ?? null;
  const now = `${last === null ? 'none' : `${last}${unit}`} now, at most ${Math.max(0, ...known)}${unit}`;
  const svg = svgElement('svg', {
    viewBox: `0 0 ${slots} 100`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `${title}: ${now}`,
  });
  values.forEach((value, index) => {
    if (value === null || value === 0) return;
    const height = Math.max(1, (value / top) * 100);
    const x = slots - values.length + index + 0.1;
    svg.append(svgElement('rect', { x, y: 100 - height, width: 0.8, height }));
  });
  return element(
    'figure',
    {},
    element('figcaption', {}, element('span', { class: 'title' }, title), ` ${now}`),
    element('div', { class: 'plot' }, element('small', { class: 'top' }, `${top}${unit}`), svg),
    element('p', { class: 'axis' }, element('small', {}, `${span(slots * everyMs)} ago`), element('small', {}, 'now')),
  );
};

const plots = (calls) => {
  if (!calls) return [element('p', {}, 'They are counted where the operator or vdoctl serves the page.')];
  const every = calls.everyMs % 60000 === 0 ? `${calls.everyMs / 60000} min` : `${calls.everyMs / 1000} s`;
  const { samples } = calls;
  return [
    element('p', {}, `By ${calls.of}.`),
    ...(calls.problem ? [element('p', { class: 'banner' }, calls.problem)] : []),
    ...(samples.length === 0 && !calls.problem ? [element('p', {}, `The first count comes after ${every}.`)] : []),
    ...(samples.length > 0
      ? [
          plot(`Calls in ${every}`, '', calls, ({ calls: made }) => made),
          plot('Mean time of a call', ' ms', calls, ({ latencyMs }) => latencyMs),
        ]
      : []),
  ];
};

const show = (model) => {
  document.title = `${model.health} – VDO`;
  byId('cluster').textContent = model.cluster;
  const health = byId('health');
  // A screen reader reads it out again only if it changed.
  if (health.textContent !== model.health) health.textContent = model.health;
  health.dataset.health = model.health;
  byId('reason').textContent = model.reason;
  byId('stale').hidden = model.stale === '';
  byId('stale').textContent = model.stale;
  draw('tiles', [model.nodes, model.volumes, model.checks, model.versions], () => tiles(model));
  draw('failing', model.failing, () => (model.failing.length === 0 ? [fine()] : model.failing.map(failingCard)));
  draw('drivers', model.drivers, () => model.drivers.map(driverRow));
  draw('conditions', model.conditions, () => model.conditions.map(conditionItem));
  draw('events', model.events, () =>
    model.events.length === 0 ? [element('li', {}, 'None yet.')] : model.events.map(eventItem(model.asOfMs)),
  );
  draw('topology', model.topology, () => map(model.topology));
  draw('calls', model.calls, () => plots(model.calls));
};

const connect = () => {
  const stream = new EventSource('stream');
  const state = byId('connection');
  stream.addEventListener('open', () => {
    state.textContent = 'live';
  });
  stream.addEventListener('message', ({ data }) => show(JSON.parse(data)));
  // The browser connects again by itself.
  stream.addEventListener('error', () => {
    state.textContent = 'connection lost, trying again';
  });
};

connect();
