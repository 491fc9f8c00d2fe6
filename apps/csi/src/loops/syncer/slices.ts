import { setImmediate as nextTurn } from 'node:timers/promises';

/** Processes many items without blocking the event loop: it yields after each slice. */
export async function* slices<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) {
    yield items.slice(start, start + size);
    await nextTurn();
  }
}
