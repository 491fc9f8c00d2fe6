import { onAbort } from '@vdo/base/async/on-abort';
import { isAtLeast } from './resource-version.ts';

/** The version that a cache has reached, and who waits for a later one. */
export interface VersionGate {
  version(): string | undefined;
  /** Undefined while the cache does not equal any state of the server: half of a list is processed. */
  moveTo(version: string | undefined): void;
  reached(wanted: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

export const createVersionGate = (): VersionGate => {
  const waiting = new Set<() => void>();
  let version: string | undefined;

  return {
    version: () => version,
    moveTo: (next) => {
      version = next;
      for (const observe of [...waiting]) observe();
    },
    reached: (wanted, { signal } = {}) =>
      new Promise((resolve, reject) => {
        const settle = (end: () => void): void => {
          waiting.delete(observe);
          stopListening();
          end();
        };
        const observe = (): void => {
          try {
            // Compared with itself if there is nothing else yet: an invalid version is refused at once.
            if (isAtLeast(version ?? wanted, wanted) && version !== undefined) settle(resolve);
          } catch (error) {
            settle(() => reject(error));
          }
        };
        if (signal?.aborted) return reject(signal.reason);
        const stopListening = onAbort(signal, () => settle(() => reject(signal?.reason)));
        waiting.add(observe);
        observe();
      }),
  };
};
