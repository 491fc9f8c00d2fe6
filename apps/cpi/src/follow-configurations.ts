import { setMaxListeners } from 'node:events';
import { VdoError } from '@vdo/base/vdo-error';
import type { LoadedConfig } from './config/config-source.ts';
import { type FollowConfigOptions, logWarnings, nextConfig } from './config/follow-config.ts';

const configChanged = (): VdoError =>
  new VdoError({
    code: 'Cancelled',
    message: 'the configuration has changed',
    remedy: 'Nothing to do: the program goes on with the new one.',
  });

export interface FollowConfigurationsOptions extends FollowConfigOptions {
  readonly first: LoadedConfig;
  /** Works with one configuration until its signal is aborted. */
  readonly work: (loaded: LoadedConfig, signal: AbortSignal) => Promise<void>;
}

/** Works with one configuration after the other until aborted. Returns the last one. */
export const followConfigurations = async (
  options: FollowConfigurationsOptions,
  signal: AbortSignal,
): Promise<LoadedConfig> => {
  const { logger } = options;
  let loaded = options.first;
  while (!signal.aborted) {
    const round = new AbortController();
    const roundSignal = AbortSignal.any([signal, round.signal]);
    // Every call in flight listens to it, and there may be thousands.
    setMaxListeners(0, roundSignal);
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
