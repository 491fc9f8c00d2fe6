import { setImmediate as nextTurn } from 'node:timers/promises';

/** Goes through many items without holding up the event loop: after each slice, others have their turn. */
export async function* slices<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) {
    yield items.slice(start, start + size);
    await nextTurn();
  }
}
