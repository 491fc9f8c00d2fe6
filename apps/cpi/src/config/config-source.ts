import { VdoError } from '@vdo/base/vdo-error';
import type { DriverConfig } from '@vdo/config/driver-config';
import type { Problem } from '@vdo/config/problems';
import { readDriverConfig } from '@vdo/config/read-driver-config';

export interface LoadedConfig {
  readonly config: DriverConfig;
  readonly warnings: readonly Problem[];
  /** Equal texts are equal configurations. */
  readonly text: string;
}

/** Where the configuration comes from. Asked again and again: a change is followed without a restart. */
export interface ConfigSource {
  /** Throws VdoError ConfigMissing or ConfigInvalid. */
  load(options: { readonly signal: AbortSignal }): Promise<LoadedConfig>;
}

export interface FileConfigSourceOptions {
  readonly path: string;
  readonly unknownKeys: 'warn' | 'refuse';
  readonly readFile: (path: string, options: { readonly signal: AbortSignal }) => Promise<string>;
}

const missing = (path: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'ConfigMissing',
    message: `cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
    remedy: `Mount the ConfigMap with vsphere.conf there, or give its path with --cloud-config.`,
    cause,
  });

/** Reads `vsphere.conf` from a file, such as a mounted ConfigMap. */
export const createFileConfigSource = ({ path, unknownKeys, readFile }: FileConfigSourceOptions): ConfigSource => ({
  load: async ({ signal }) => {
    const text = await readFile(path, { signal }).catch((cause: unknown) => {
      if (signal.aborted) throw signal.reason;
      throw missing(path, cause);
    });
    const { config, warnings } = readDriverConfig(text, { unknownKeys, source: path });
    return { config, warnings, text };
  },
});
