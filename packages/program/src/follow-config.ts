import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import { describeProblem } from '@vdo/config/problems';
import type { ConfigSource, LoadedConfig } from './config-source.ts';

export interface NextConfigOptions {
  readonly source: ConfigSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default 10 s: a mounted ConfigMap itself is up to a minute late. */
  readonly periodMs?: number;
}

/** Reports every warning of a configuration, once. */
export const logWarnings = (logger: Logger, { warnings }: LoadedConfig): void => {
  for (const warning of warnings)
    logger.warn('configuration warning', { problem: describeProblem(warning), remedy: warning.remedy });
};

/** Resolves with the next configuration that differs from `current` and is valid. An invalid one is reported once and not used. */
export const nextConfig = async (
  current: LoadedConfig,
  options: NextConfigOptions & { readonly signal: AbortSignal },
): Promise<LoadedConfig> => {
  const { source, clock, logger, signal, periodMs = 10_000 } = options;
  let reported = '';
  for (;;) {
    await sleep(clock, periodMs, { signal });
    try {
      const loaded = await source.load({ signal });
      reported = '';
      if (loaded.text !== current.text) return loaded;
    } catch (error) {
      signal.throwIfAborted();
      const problem = toVdoError(error);
      if (reported !== problem.message) logger.error('the new configuration is not used', { error: problem });
      reported = problem.message;
    }
  }
};

const configChanged = (): VdoError =>
  new VdoError({
    code: 'Cancelled',
    message: 'the configuration has changed',
    remedy: 'No action needed: the program continues with the new configuration.',
  });

export interface FollowConfigOptions extends NextConfigOptions {
  readonly first: LoadedConfig;
  /** Works with one configuration until its signal is aborted. */
  readonly work: (loaded: LoadedConfig, signal: AbortSignal) => Promise<void>;
}

/**
 * Works with one configuration after the other until aborted: the work with one ends completely before the next one starts.
 * Returns the last configuration. Rejects as soon as the work fails.
 */
export const followConfig = async (options: FollowConfigOptions, signal: AbortSignal): Promise<LoadedConfig> => {
  const { logger } = options;
  let loaded = options.first;
  while (!signal.aborted) {
    const round = new AbortController();
    const roundSignal = AbortSignal.any([signal, round.signal]);
    // Every call in progress listens to it, and there may be thousands.
    const follow = async (): Promise<void> => {
      loaded = await nextConfig(loaded, { ...options, signal: roundSignal });
      logger.info('the configuration has changed');
      logWarnings(logger, loaded);
      round.abort(configChanged());
    };
    const following = follow().catch((error: unknown) => {
      if (!roundSignal.aborted) throw error;
    });
    try {
      await options.work(loaded, roundSignal);
    } catch (error) {
      if (!roundSignal.aborted) throw error;
    } finally {
      round.abort();
      await following;
    }
  }
  return loaded;
};
