import { clusterGroups } from './map-tree.ts';
import { nodeList, volumeCounts, volumeIndex, volumeList } from './relations.ts';
import { prepareSearch } from './search.ts';
import type { State } from './store.ts';

/** Rows whose words are put together at a time: some milliseconds. */
const rowsAtOnce = 400;

/** What the next view will need, one part after the other. */
function* parts(state: State): Generator<void> {
  for (const part of [nodeList, volumeList, volumeIndex, volumeCounts, clusterGroups]) {
    part(state);
    yield;
  }
  for (const table of [state.rows.nodes, state.rows.volumes]) {
    const rows = table.values();
    while (prepareSearch(rows, rowsAtOnce)) yield;
  }
}

let waiting: number | undefined;

/** Does, while the reader does nothing, what would make the first click on a large cluster slow. */
export const prepare = (state: State): void => {
  if (!('requestIdleCallback' in globalThis)) return;
  if (waiting !== undefined) cancelIdleCallback(waiting);
  const work = parts(state);
  const go = (deadline: IdleDeadline): void => {
    waiting = undefined;
    while (deadline.timeRemaining() > 5) if (work.next().done) return;
    waiting = requestIdleCallback(go);
  };
  waiting = requestIdleCallback(go);
};
