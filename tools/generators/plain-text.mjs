// Markdown as it is printed in a terminal.
import { posix } from 'node:path';

const linkForm = /\[([^\]]*)\]\(([^)\s]*)\)/g;

/** The path of a link in the repository: what a reader can open. */
const pathOf = (target, file) => {
  if (/^[a-z]+:/.test(target)) return target;
  const [path, anchor] = target.split('#');
  const whole = path === '' ? file : posix.join(posix.dirname(file), path);
  return anchor ? `${whole}#${anchor}` : whole;
};

const isInBrackets = (before) => before.split('(').length > before.split(')').length;

/** `[words](link)` → `words (docs/path)`, or `words: docs/path` inside brackets. `file` is where the text is from. */
export const withPaths = (text, file) => {
  let end = 0;
  let done = '';
  for (const { 0: link, 1: words, 2: target, index } of text.matchAll(linkForm)) {
    done += text.slice(end, index);
    const path = pathOf(target, file);
    done += isInBrackets(done) ? `${words}: ${path}` : `${words} (${path})`;
    end = index + link.length;
  }
  return done + text.slice(end);
};

/** The paragraph that begins with this line: Markdown breaks lines where it likes, and an empty line or the next label ends it. */
export const paragraphFrom = (lines, first) => {
  const rest = lines.slice(first + 1);
  const end = rest.findIndex((line) => line.trim() === '' || /^(\*\*|#|- |\||```)/.test(line));
  return [lines[first], ...rest.slice(0, end < 0 ? rest.length : end)].map((line) => line.trim()).join(' ');
};
