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
  `${kind} ${name}`,
  note ? element('small', {}, `  ${note}`) : '',
];
const placeItem = (place) =>
  element(
    'li',
    {},
    place.children.length === 0
      ? element('p', {}, ...placeLabel(place))
      : element(
          'details',
          { open: '' },
          element('summary', {}, ...placeLabel(place)),
          element('ul', {}, ...place.children.map(placeItem)),
        ),
  );

const svgElement = (tag, attributes) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

const plot = (caption, samples, pick) => {
  const values = samples.map(pick);
  const known = values.filter((value) => value !== null);
  const top = Math.max(1, ...known);
  const svg = svgElement('svg', {
    viewBox: `0 0 ${Math.max(1, samples.length)} 100`,
    preserveAspectRatio: 'none',
    role: 'img',
  });
  const last = known.at(-1) ?? 0;
  const label = `${caption}: now ${last}, at most ${top}`;
  svg.setAttribute('aria-label', label);
  values.forEach((value, index) => {
    if (value === null || value === 0) return;
    const height = (value / top) * 95;
    svg.append(svgElement('rect', { x: index + 0.1, y: 100 - height, width: 0.8, height }));
  });
  return element('figure', {}, element('figcaption', {}, label), svg);
};

const plots = (calls) =>
  calls.length === 0
    ? [element('p', {}, 'Shown where the page is served by the operator.')]
    : [
        plot('Calls in five seconds', calls, ({ calls: made }) => made),
        plot('Mean time of a call in milliseconds', calls, ({ latencyMs }) => latencyMs),
      ];

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
  draw('topology', model.topology, () => model.topology.map(placeItem));
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
