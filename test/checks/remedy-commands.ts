/** A command line as words; quotes hold words together. */
export const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"((?:\$\([^)]*\)|[^"])*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );

/** The commands of a remedy, in order; of alternatives the first. What stands around them in words is for people. */
export const splitCommands = (remedy: string): readonly string[] => {
  const [first = ''] = remedy.split(/[,;] or /);
  const found = first.matchAll(/(?:^|[ ;:(`])((?:govc|kubectl) (?:'[^']*'|"[^"]*"|[^;,(`])+)/g);
  return [...found].map(([, line = '']) => line.trim());
};
