// Words that a reader who knows Kubernetes and vSphere would have to guess are not used: tools/words/list.json lists each of them with what to
// write instead. A word may appear in a context that the list allows ("allowed": a part of a line, by file). Files and folders that nobody
// has rewritten yet are "waiting"; that list is to become empty. In Markdown, code is skipped: names and messages in it belong to others.
// In TypeScript only comments, texts and JSX are read, never names.
//   node tools/check-words.mjs [--all] [path...]   with paths, only what is below them; with --all, also what is waiting
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { proseOf } from './words/prose-of.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' } } });
const list = JSON.parse(readFileSync('tools/words/list.json', 'utf8'));
const skipped = list.not.map((pattern) => new RegExp(pattern));
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...list.over], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && !skipped.some((pattern) => pattern.test(file)));
const files = tracked.filter(
  (file) => positionals.length === 0 || positionals.some((path) => file.startsWith(path.replace(/^\.\//, ''))),
);

const words = list.words.map((word) => ({
  ...word,
  allowed: word.allowed ?? [],
  // A phrase may be broken over two lines.
  pattern: new RegExp(String.raw`(?<![\w-])(?:${word.not.replaceAll(' ', String.raw`\s+`)})(?![\w-])`, 'gi'),
}));

const used = new Set();
/** @returns {boolean} whether the list allows this word on this line of this file. */
const isAllowed = (word, file, line) => {
  const context = word.allowed.find((one) => one.file === file && line.includes(one.in));
  if (context) used.add(context);
  return context !== undefined;
};

const findingsIn = (file) => {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const prose = proseOf(file, text);
  return words.flatMap((word) =>
    [...prose.matchAll(word.pattern)].flatMap((found) => {
      const line = prose.slice(0, found.index).split('\n').length;
      if (isAllowed(word, file, lines[line - 1])) return [];
      return [`${file}:${line}: "${found[0].replaceAll(/\s+/g, ' ')}": write ${word.use}`];
    }),
  );
};

const found = files.map((file) => ({ file, findings: findingsIn(file) }));
const waitsFor = (file) => list.waiting.find((path) => file === path || (path.endsWith('/') && file.startsWith(path)));
const problems = found.flatMap(({ file, findings }) => (waitsFor(file) && !values.all ? [] : findings));
if (positionals.length === 0 && !values.all) {
  for (const path of list.waiting)
    if (!found.some(({ file, findings }) => waitsFor(file) === path && findings.length > 0))
      problems.push(`${path} has no such word any more, or does not exist: remove it from "waiting"`);
  for (const { not, allowed } of words)
    for (const context of allowed)
      if (!used.has(context))
        problems.push(`${context.file}: "${not}" is allowed in "${context.in}", which is not there`);
}

for (const problem of problems) console.error(problem);
if (files.length === 0) console.error('no file found: the check searched the wrong folder');
process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0;
console.log(
  `${files.length} files, ${words.length} words that are not used, ${list.waiting.length} paths wait, ${problems.length} problems`,
);
