import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { git, openLedger, root } from '../../tools/ledger.mjs';

/** The content of some files as a ledger names it: the same on every commit that does not touch them. */
const contentName = (paths: readonly string[], isMeant: (path: string) => boolean = () => true): string => {
  const files = git('ls-tree', '-r', 'HEAD', '--', ...paths)
    .split('\n')
    .filter((line) => isMeant(line.split('\t')[1] ?? ''));
  const changed = [
    ...git('diff', 'HEAD', '--name-only', '--', ...paths).split('\n'),
    ...git('ls-files', '--others', '--exclude-standard', '--', ...paths).split('\n'),
  ].filter((path) => path && isMeant(path));
  const hash = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
  return `${hash}${changed.length > 0 ? '+changes' : ''}`;
};

/** Which portions of a long run have passed on the same sources, so that it can be run in several goes. */
export interface Portions {
  /** Changes with the sources. */
  readonly sources: string;
  hasPassed(portion: string): boolean;
  add(portion: string, outcome: { readonly passed: boolean; readonly seconds: number }): void;
}

/** `name` of the ledger's file; `paths` of the sources, of which `isMeant` may leave out some. */
export const openPortions = (name: string, paths: readonly string[], isMeant?: (path: string) => boolean): Portions => {
  const ledger = openLedger(join(root, `.ledger/${name}.jsonl`));
  const sources = contentName(paths, isMeant);
  return {
    sources,
    hasPassed: (portion) => ledger.hasPassed(sources, portion),
    add: (portion, { passed, seconds }) =>
      ledger.add({ commit: sources, command: portion, result: passed ? 'passed' : 'failed', seconds }),
  };
};
