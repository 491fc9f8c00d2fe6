// A terminal session as an SVG that CSS alone moves: no script, so that it may be shown as a picture. Where nothing moves, by choice of the
// reader or because a viewer cannot, it shows the scene with the fault.

const columns = 120;
const cell = { width: 7.8, height: 18 };
const padding = 16;
const bar = 30;

/** Seconds: per letter typed, from a command to its output, between the lines of a start, and how long a scene stays to be read. */
const pace = { letter: 0.04, answer: 0.5, line: 0.3, read: { start: 2, healthy: 3, short: 2.5, fault: 8 } };

/** What is coloured in a line; the first rule that matches a part of it counts. */
const marks = [
  ['good', /^(?:ok\b|Healthy\b|Healed\b)/],
  ['bad', /^(?:Degraded|Fail)\b/],
  ['note', /(?:Remedy:|Meaning and causes:|Broken on purpose in this sandbox:)/],
  ['command', /^ {2,}vdoctl .*/],
  ['dim', /^(?:DRIVER .*|More: .*|VDO sandbox: .*)/],
];

/** A line as a terminal shows it: what is too long goes on in the next row. */
const wrap = (line) => line.match(new RegExp(`.{1,${columns}}`, 'g')) ?? [''];

/** @param {string} text @returns {readonly { command: string, lines: readonly string[] }[]} */
const readRecording = (text) =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.trimEnd().split('\n');
      return { command, lines: lines.flatMap(wrap) };
    });

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const number = (value) => String(Math.round(value * 100) / 100);

const spans = (line) => {
  for (const [style, pattern] of marks) {
    const found = pattern.exec(line);
    if (found)
      return [
        escapeXml(line.slice(0, found.index)),
        `<tspan class="${style}">${escapeXml(found[0])}</tspan>`,
        escapeXml(line.slice(found.index + found[0].length)),
      ].join('');
  }
  return escapeXml(line);
};

const lineAt = (line, row, attributes = '') => {
  if (line.trim() === '') return '';
  // Every font gets the same width, so that columns stay columns.
  const length = number(line.length * cell.width);
  const y = number(bar + padding + (row + 0.75) * cell.height);
  return `<text x="${padding}" y="${y}" textLength="${length}"${attributes}>${spans(line)}</text>`;
};

const isFault = ({ lines }) => lines.some((line) => line.startsWith('Fail'));
const stay = (step, index) => {
  if (index === 0) return pace.read.start;
  if (isFault(step)) return pace.read.fault;
  return step.lines.length > 8 ? pace.read.healthy : pace.read.short;
};

/** Where and when each part is seen: a scene is one screen, and begins with a command that does not fit below the one before. */
const schedule = (steps, rows) => {
  const parts = [];
  let [atSeconds, row, scene] = [0.3, 0, 0];
  steps.forEach((step, index) => {
    if (index > 0 && row + step.lines.length + 1 > rows) [row, scene] = [0, scene + 1];
    const typedSeconds = step.command.length * pace.letter;
    parts.push({ scene, row, command: step.command, fromSeconds: atSeconds, typedSeconds });
    atSeconds += typedSeconds + pace.answer;
    const perLine = index === 0 ? pace.line : 0;
    const groups = perLine > 0 ? step.lines.map((line) => [line]) : [step.lines];
    groups.reduce((used, lines) => {
      parts.push({ scene, row: row + 1 + used, lines, fromSeconds: atSeconds, isFault: isFault(step) });
      atSeconds += perLine;
      return used + lines.length;
    }, 0);
    row += step.lines.length + 2;
    atSeconds += stay(step, index);
  });
  return { parts, totalSeconds: atSeconds };
};

const styles = `
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text);white-space:pre}
svg{--back:#f6f8fa;--bar:#e4e8ec;--edge:#c8ced6;--text:#24292f;--dim:#57606a;--good:#116329;--bad:#b3141d;--note:#7d4e00;--command:#0550ae}
@media(prefers-color-scheme:dark){svg{--back:#161b22;--bar:#21262d;--edge:#3d444d;--text:#e6edf3;--dim:#9198a1;--good:#56d364;--bad:#ff7b72;--note:#e3b341;--command:#79c0ff}}
.good{fill:var(--good);font-weight:bold}.bad{fill:var(--bad);font-weight:bold}.note{fill:var(--note)}.command{fill:var(--command)}.dim{fill:var(--dim)}
.part{opacity:0;animation-iteration-count:infinite;animation-timing-function:step-end}
.still{opacity:1}
@media(prefers-reduced-motion:reduce){svg .part,svg .typed{animation:none}}`;

/** @param {string} text as tools/recording/sandbox.txt has it @returns {string} */
export const renderRecording = (text) => {
  const steps = readRecording(text);
  // As high as the longest output needs.
  const rows = Math.max(...steps.map(({ lines }) => lines.length + 1));
  const size = { width: columns * cell.width + 2 * padding, height: rows * cell.height + bar + 2 * padding };
  const { parts, totalSeconds } = schedule(steps, rows);
  const percent = (seconds) => `${number((100 * seconds) / totalSeconds)}%`;
  const stillScene = parts.find(({ isFault: shows }) => shows)?.scene;
  const endOf = (scene) => parts.find((part) => part.scene === scene + 1)?.fromSeconds ?? totalSeconds;
  const rules = [];
  const drawn = parts.map((part, index) => {
    const { scene, row, fromSeconds } = part;
    const end = percent(endOf(scene));
    rules.push(
      `@keyframes p${index}{0%{opacity:0}${percent(fromSeconds)}{opacity:1}${end === '100%' ? '99.99%' : end}{opacity:0}}`,
      `.p${index}{animation-name:p${index};animation-duration:${number(totalSeconds)}s}`,
    );
    const group = `<g class="part p${index}${scene === stillScene ? ' still' : ''}">`;
    if (part.command === undefined)
      return `${group}${part.lines.map((line, offset) => lineAt(line, row + offset)).join('')}</g>`;
    rules.push(
      `@keyframes t${index}{0%,${percent(fromSeconds)}{clip-path:inset(0 100% 0 0);animation-timing-function:steps(${part.command.length})}` +
        `${percent(fromSeconds + part.typedSeconds)},100%{clip-path:inset(0)}}`,
      `.t${index}{animation:t${index} ${number(totalSeconds)}s infinite}`,
    );
    const indent = number(padding + 2 * cell.width);
    const typed = lineAt(part.command, row, ` class="typed t${index}"`).replace(`x="${padding}"`, `x="${indent}"`);
    return `${group}${lineAt('$', row)}${typed}</g>`;
  });
  const { width, height } = size;
  const dots = [0, 1, 2].map((dot) => `<circle cx="${18 + dot * 18}" cy="${bar / 2}" r="5" fill="var(--edge)"/>`);
  const commands = steps.map(({ command }) => command).join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${number(width)} ${number(height)}" width="${number(width)}" height="${number(height)}" role="img" aria-labelledby="title desc">
<title id="title">VDO in a sandbox: start, break, status with the remedy, heal</title>
<desc id="desc">A terminal runs ${escapeXml(commands)}. The status names the VM, what is wrong with it, and the command that repairs it.</desc>
<style>${styles}
${rules.join('\n')}
</style>
<rect x="0.5" y="0.5" width="${number(width - 1)}" height="${number(height - 1)}" rx="8" fill="var(--back)" stroke="var(--edge)"/>
<path d="M1 ${bar}V8a7 7 0 0 1 7-7H${number(width - 8)}a7 7 0 0 1 7 7V${bar}z" fill="var(--bar)"/>
${dots.join('')}
${drawn.join('\n')}
</svg>
`;
};
