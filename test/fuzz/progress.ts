import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

interface Book {
  readonly commit: string;
  /** Milliseconds that each reader was fuzzed on this commit. */
  readonly spent: Readonly<Record<string, number>>;
}

const folder = new URL('../../.ledger/', import.meta.url);

const read = (file: URL, commit: string): Book => {
  try {
    const book = JSON.parse(readFileSync(file, 'utf8')) as Book;
    if (book.commit === commit) return book;
  } catch {
    // There is none yet, or its writer was interrupted.
  }
  return { commit, spent: {} };
};

/** Remembers how long a reader was fuzzed on this commit, so that a run which was interrupted goes on where it stopped. */
export const createProgress = (target: string) => {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder.pathname.replace('.ledger/', '') });
  const file = new URL(`fuzz-${target.replace(/\W+/g, '-')}.json`, folder);
  const known = read(file, commit.toString().trim());
  let spent = known.spent[target] ?? 0;
  let keptAt = spent;
  const keep = (): void => {
    keptAt = spent;
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify({ ...known, spent: { ...known.spent, [target]: spent } }));
  };
  return {
    spentMs: () => spent,
    add: (ms: number): void => {
      spent += ms;
      if (spent - keptAt > 5_000) keep();
    },
    keep,
  };
};
