// Words that a reader who knows Kubernetes and vSphere would have to guess are not used: tools/words/list.json has each of them with what to
// write instead. A word may stand in a context that the list allows ("allowed": parts of a line, by file). Files that nobody has rewritten
// yet are "waiting"; the list is to become empty. In Markdown, code is left alone: names and messages in it are somebody else's.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const list = JSON.parse(readFileSync('tools/words/list.json', 'utf8'));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...list.over], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && !list.not.some((path) => file.startsWith(path)));

const blank = (text) => text.replaceAll(/[^\n]/g, ' ');
const proseOf = (file, text) =>
  file.endsWith('.md')
    ? text.replaceAll(/^ *```[^\n]*\n[\s\S]*?^ *```$/gm, blank).replaceAll(/`[^`\n]+`|\]\([^)\n]*\)|<[^>\n]+>/g, blank)
    : text;

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

const problems = [];
for (const file of files) {
  const findings = findingsIn(file);
  if (!list.waiting.includes(file)) problems.push(...findings);
  else if (findings.length === 0) problems.push(`${file} has no such word any more: take it off "waiting"`);
}
for (const file of list.waiting) if (!files.includes(file)) problems.push(`${file} is "waiting" and does not exist`);
for (const { not, allowed } of words)
  for (const context of allowed)
    if (!used.has(context))
      problems.push(`${context.file}: "${not}" is allowed in "${context.in}", which is not there`);

for (const problem of problems) console.error(problem);
if (files.length === 0) console.error('no file found: the check looked in the wrong place');
process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0;
console.log(
  `${files.length} files, ${words.length} words that are not used, ${list.waiting.length} files wait, ${problems.length} problems`,
);
