// Whoever may name an object writes texts that we search. A pattern whose cost grows faster than the text lets them stop a program:
// each pattern of the product is analysed for that (scslre, which eslint-plugin-regexp rests on: small, and takes milliseconds), and then
// tried on texts made to keep it busy. Patterns made from text while the program runs can be judged by neither, and are named here.
import { RegExpParser } from '@eslint-community/regexpp';
import { analyse } from 'scslre';
import { attacksOn, attackText } from './regexes/attacks-on.mjs';
import { collectPatterns } from './regexes/collect-patterns.mjs';

/** Made from constants of the same file, or searched in a text of our own. */
const madeOfConstants = [
  'apps/vdoctl/src/output/style.ts',
  'apps/vdoctl/src/shared/cluster/program-pods.ts',
  'packages/vsphere/src/session/token-service.ts',
  'packages/vsphere/src/wire/xml-characters.ts',
];
const [shortest, longest] = [250, 64_000];
const noticeableMs = 50;

const parser = new RegExpParser();
const advice = 'bound what repeats ({0,64}), or cut the text by hand (packages/base/src/cut-text.ts)';

const analysed = (literal) => {
  const { reports } = analyse(parser.parseLiteral(literal), { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.map(({ exponential }) => `costs ${exponential ? 'exponential' : 'more than linear'} time`);
};

const isSlow = (ms, former) => ms > noticeableMs && ms > 8 * former;

const cpuMs = (work) => {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1000;
};

/** In steps of four, so that the first that is slow tells, and not the last: over four times the text, linear work takes four times as long. */
const tried = (literal) => {
  const end = literal.lastIndexOf('/');
  const pattern = new RegExp(literal.slice(1, end), literal.slice(end + 1));
  for (const attack of attacksOn(literal)) {
    let former = 0;
    for (let length = shortest; length <= longest; length *= 4) {
      const text = attackText(attack, length);
      const measure = () => cpuMs(() => text.replace(pattern, ''));
      let ms = measure();
      // Now and then memory is cleaned up in between: what is slow is slow three times.
      if (isSlow(ms, former)) ms = Math.min(ms, measure(), measure());
      if (isSlow(ms, former))
        return [`takes ${Math.round(ms)} ms over ${length} characters of ${JSON.stringify(attack.repeated)}`];
      former = ms;
    }
  }
  return [];
};

const { files, patterns } = collectPatterns();
const known = new Map();
const problemsOf = (literal) => {
  if (!known.has(literal)) {
    const found = analysed(literal);
    known.set(literal, found.length > 0 ? found : tried(literal));
  }
  return known.get(literal);
};
const problems = patterns.flatMap(({ file, line, literal, made }) => {
  if (literal !== undefined) return problemsOf(literal).map((why) => `${file}:${line}: ${literal} ${why}: ${advice}`);
  if (madeOfConstants.includes(file)) return [];
  return [`${file}:${line}: ${made} is made while the program runs, so that nobody can judge it: write a literal`];
});
const idle =
  files.length < 10 ? [] : madeOfConstants.filter((one) => !patterns.some(({ file, made }) => made && file === one));
for (const file of idle) problems.push(`${file} is on the list of tools/check-regexes.mjs, and makes no pattern`);
for (const problem of problems) console.error(problem);
if (patterns.length === 0) console.error('no pattern found: the check looked in the wrong place');
process.exitCode = problems.length > 0 || patterns.length === 0 ? 1 : 0;
console.log(`${files.length} files, ${patterns.length} patterns, ${problems.length} problems`);
