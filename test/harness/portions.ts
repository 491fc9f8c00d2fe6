import { join } from 'node:path';
import { contentName, openLedger, root } from '../../tools/ledger.mjs';

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
