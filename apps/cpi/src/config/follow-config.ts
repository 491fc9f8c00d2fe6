import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { toVdoError } from '@vdo/base/vdo-error';
import { describeProblem } from '@vdo/config/problems';
import type { ConfigSource, LoadedConfig } from './config-source.ts';

export interface FollowConfigOptions {
  readonly source: ConfigSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default 10 s: a mounted ConfigMap is itself late by up to a minute. */
  readonly periodMs?: number;
}

/** Tells every warning of a configuration, once. */
export const logWarnings = (logger: Logger, { warnings }: LoadedConfig): void => {
  for (const warning of warnings)
    logger.warn('configuration warning', { problem: describeProblem(warning), remedy: warning.remedy });
};

/** Resolves with the next configuration that differs from `current` and is valid. A broken one is told once and not used. */
export const nextConfig = async (
  current: LoadedConfig,
  options: FollowConfigOptions & { readonly signal: AbortSignal },
): Promise<LoadedConfig> => {
  const { source, clock, logger, signal, periodMs = 10_000 } = options;
  let told = '';
  for (;;) {
    await sleep(clock, periodMs, { signal });
    try {
      const loaded = await source.load({ signal });
      told = '';
      if (loaded.text !== current.text) return loaded;
    } catch (error) {
      signal.throwIfAborted();
      const problem = toVdoError(error);
      if (told !== problem.message) logger.error('the new configuration is not used', { error: problem });
      told = problem.message;
    }
  }
};
