import type { Clock } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { SoapCaller } from '../soap/soap-client.ts';
import {
  createFilter,
  createPropertyCollector,
  destroyPropertyCollector,
  waitForUpdatesEx,
} from '../wire/methods/property.ts';
import type { MoRef } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { ObjectUpdate } from '../wire/types/property-collector.ts';
import { type PollLength, pollOnce } from './poll-length.ts';
import type { FilterSpec } from './specs.ts';
import { viewLost } from './view-lost.ts';

/** One reply of the long poll. */
export interface UpdateBatch {
  readonly updates: readonly Value<typeof ObjectUpdate>[];
  /** Objects of a filter that do not exist (any more). */
  readonly missing: readonly MoRef[];
  /** More of the same state follows immediately. */
  readonly truncated: boolean;
}

export interface UpdateStreamOptions {
  readonly signal: AbortSignal;
  readonly specs: readonly FilterSpec[];
  /** `session.vim` by default. */
  readonly caller?: SoapCaller;
  readonly clock: Clock;
  /** How long vCenter waits for changes before it replies "nothing new". */
  readonly length: PollLength;
  /** vCenter's own default is 100. */
  readonly maxObjectUpdates?: number;
}

/** A state of a million objects, at a hundred each. */
const mostPages = 10_000;

const endless = (count: number): VdoError =>
  new VdoError({
    code: 'VCenterReplyMalformed',
    message: `vCenter does not finish sending the updates of ${count} filters`,
    remedy:
      'Check whether this server is a vCenter. The request is retried automatically. If this persists, report it.',
  });

const isView = ({ type }: MoRef): boolean => type.endsWith('View');

/**
 * Watches filters with its own property collector (a collector can serve only one wait at a time). First the current state is
 * returned, then changes; a wait without changes returns an empty batch. Throws when the session, a view or vCenter is lost:
 * the caller then starts a new stream and gets the current state again.
 */
export async function* updateStream(session: VimSession, options: UpdateStreamOptions): AsyncGenerator<UpdateBatch> {
  const { signal, clock, length, maxObjectUpdates, caller = session.vim } = options;
  const opened = await session.open({ signal });
  const root = requireManager(opened, 'propertyCollector');
  const _this = await caller.call(createPropertyCollector, { _this: root }, { signal });
  try {
    for (const spec of options.specs)
      await caller.call(createFilter, { _this, spec, partialUpdates: false }, { signal });
    let version = '';
    let hurried = 0;
    for (;;) {
      const known = version;
      const set = await pollOnce(length, { clock, signal }, (maxWaitSeconds) => {
        const call = { signal, timeoutMs: (maxWaitSeconds + 30) * 1000 };
        const waitOptions = { maxWaitSeconds, maxObjectUpdates };
        return caller.call(waitForUpdatesEx, { _this, version: known, options: waitOptions }, call);
      });
      hurried = set?.truncated ? hurried + 1 : 0;
      if (hurried > mostPages) throw endless(options.specs.length);
      version = set?.version ?? version;
      const filters = set?.filterSet ?? [];
      const missing = filters.flatMap(({ missingSet }) => missingSet.map(({ obj }) => obj));
      if (missing.some(isView)) throw viewLost();
      yield {
        updates: filters.flatMap(({ objectSet }) => objectSet),
        missing,
        truncated: set?.truncated ?? false,
      };
    }
  } finally {
    await caller.call(destroyPropertyCollector, { _this }, { timeoutMs: 5_000 }).catch(() => undefined);
  }
}

/** True if a new stream can help: the session, the collector, a view or vCenter was lost. */
export const canResume = (error: unknown): boolean =>
  isVdoError(error) && (error.retry === 'backoff' || error.code === 'VCenterObjectNotFound');
