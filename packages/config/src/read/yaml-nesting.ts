/** Brackets that are open at once, and lists or keys that begin on one line. */
const maxOpen = 200;
/** Keys behind a question mark. The YAML library reads each of them once for every one around it: 300 take 20 s. */
const maxExplicitKeys = 32;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Question marks where a key may begin: among the indicators that a line starts with, or behind a bracket or comma. */
const explicitKeysOf = (line: string): number => {
  const [indicators = ''] = line.match(/^[ \t?:-]*/) ?? [];
  return countOf(indicators, /\?/g) + countOf(line, /[[{,][ \t]{0,8}\?(?=[ \t]|$)/g);
};

/** Whether a YAML text may be nested so deeply that the library would not come back from it in a reasonable time. */
export const isNestedTooDeeply = (text: string): boolean => {
  // Quotes are not looked at: nobody opens so many brackets in them either.
  let depth = 0;
  for (const sign of text.match(/[[\]{}]/g) ?? []) {
    depth = sign === '[' || sign === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > maxOpen) return true;
  }
  let explicitKeys = 0;
  for (const line of text.split('\n')) {
    explicitKeys += explicitKeysOf(line);
    if (explicitKeys > maxExplicitKeys || countOf(line, /[-?:](?=[ \t])/g) > maxOpen) return true;
  }
  return false;
};
