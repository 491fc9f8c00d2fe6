import { readFile } from 'node:fs/promises';
import { type Clock, sleep } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { DriverConfig } from '@vdo/config/driver-config';
import { describeProblem } from '@vdo/config/problems';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import { settingsWithoutEffect } from './settings-without-effect.ts';

export interface LoadedConfig {
  readonly config: DriverConfig;
  /** Equal texts are equal configurations. */
  readonly text: string;
}

export interface LoadConfigOptions {
  readonly path: string;
  readonly unknownKeys: 'warn' | 'refuse';
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const unreadable = (path: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'ConfigMissing',
    message: `cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
    remedy: 'Mount the ConfigMap vsphere-config there, or give the path of the file with --vsphere-conf.',
    cause,
  });

const readText = async (path: string, signal: AbortSignal): Promise<string> => {
  try {
    return await readFile(path, { encoding: 'utf8', signal });
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(path, error);
  }
};

/** Reads the configuration; warnings are logged, errors are all told in one VdoError ConfigInvalid. */
export const loadConfig = async (options: LoadConfigOptions): Promise<LoadedConfig> => {
  const { path, unknownKeys, logger, signal } = options;
  const text = await readText(path, signal);
  const { config, warnings } = readDriverConfig(text, { unknownKeys, source: path, driver: 'csi' });
  for (const warning of warnings)
    logger.warn('configuration warning', { problem: describeProblem(warning), remedy: warning.remedy });
  for (const problem of settingsWithoutEffect(config.csi))
    logger.warn('configuration warning', { problem, remedy: 'Remove it.' });
  return { config, text };
};

export interface NextConfigOptions extends LoadConfigOptions {
  readonly current: LoadedConfig;
  readonly clock: Clock;
  /** Default 10 s: a mounted ConfigMap is itself late by up to a minute. */
  readonly periodMs?: number;
}

/** Resolves with the next configuration that is valid and differs. A broken one is told once and not used. */
export const nextConfig = async (options: NextConfigOptions): Promise<LoadedConfig> => {
  const { path, current, clock, logger, signal, periodMs = 10_000 } = options;
  let seen = current.text;
  for (;;) {
    await sleep(clock, periodMs, { signal });
    try {
      const text = await readText(path, signal);
      if (text === seen) continue;
      seen = text;
      if (text !== current.text) return await loadConfig(options);
    } catch (error) {
      signal.throwIfAborted();
      const problem = toVdoError(error);
      if (problem.code === 'ConfigMissing' && seen === '') continue;
      if (problem.code === 'ConfigMissing') seen = '';
      logger.error('the new configuration is not used', { error: problem });
    }
  }
};
