import { onAbort } from '@vdo/base/async/on-abort';
import type { Clock } from '@vdo/base/clock';
import type { ApiCaller } from './api-caller.ts';
import { apiError } from './api-error.ts';
import type { KubeClient, WatchOptions } from './client.ts';
import { noAnswerError, transportError } from './transport-error.ts';
import type { KubeObject, WatchEvent } from './types/object.ts';
import type { Resource } from './types/resource.ts';
import { lines, parseWatchLine } from './watch-stream.ts';

export interface WatcherOptions {
  readonly clock: Clock;
  /** Named in messages. */
  readonly server: string;
}

/** The verb watch. */
export const createWatcher = (caller: ApiCaller, { clock, server }: WatcherOptions): KubeClient['watch'] =>
  async function* watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>> {
    const { namespace, signal, beforeSend: _, bookmarks = true, idleTimeoutMs, onOpen, ...selection } = options;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stopListening = onAbort(signal, () => controller.abort(signal?.reason));
    const silence = createSilenceTimer(clock, idleTimeoutMs, (ms) => controller.abort(noAnswerError(server, ms)));
    try {
      const target = { method: 'GET', verb: 'watch', resource, namespace } as const;
      const query = { ...selection, watch: true, ...(bookmarks && { allowWatchBookmarks: true }) };
      const reply = await caller.stream({ ...target, query }, controller);
      onOpen?.();
      silence.restart();
      for await (const line of lines(reply.body)) {
        silence.restart();
        const parsed = parseWatchLine<T>(line);
        if ('failure' in parsed) throw apiError(target, parsed.failure.code, parsed.failure);
        yield parsed.event;
      }
      // A transport may end an aborted stream instead of failing.
      controller.signal.throwIfAborted();
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : transportError(server, error);
    } finally {
      silence.stop();
      stopListening();
      controller.abort();
    }
  };

// Time that the consumer spends on an event counts as silence, too; it is bounded by the next restart.
const createSilenceTimer = (clock: Clock, idleTimeoutMs: number | undefined, onSilence: (ms: number) => void) => {
  let stop = () => {};
  return {
    restart: () => {
      stop();
      if (idleTimeoutMs !== undefined) stop = clock.schedule(() => onSilence(idleTimeoutMs), idleTimeoutMs);
    },
    stop: () => stop(),
  };
};
