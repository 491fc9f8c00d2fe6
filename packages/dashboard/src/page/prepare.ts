import { clusterGroups } from './map-tree.ts';
import { nodeList, volumeCounts, volumeIndex, volumeList } from './relations.ts';
import { prepareSearch } from './search.ts';
import type { State } from './store.ts';

/** Rows whose search text is built at a time: some milliseconds. */
const rowsAtOnce = 400;

/** Computes what the next view needs, part by part. */
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

/** Uses idle time for what would make the first click on a large cluster slow. */
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
