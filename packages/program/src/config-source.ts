import { readFile as readFileOfDisk } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { DriverConfig } from '@vdo/config/driver-config';
import type { Problem } from '@vdo/config/problems';
import type { Environment } from '@vdo/config/read/environment';
import { type ReadDriverConfigOptions, readDriverConfig } from '@vdo/config/read-driver-config';

export interface LoadedConfig {
  readonly config: DriverConfig;
  readonly warnings: readonly Problem[];
  /** PEM by the path that the configuration names. */
  readonly caBundles: ReadonlyMap<string, string>;
  /** Equal texts are equal configurations, certificate authorities included. */
  readonly text: string;
}

/** The source of the configuration. It is read repeatedly: a change is followed without a restart. */
export interface ConfigSource {
  /** Throws VdoError ConfigMissing or ConfigInvalid. */
  load(options: { readonly signal: AbortSignal }): Promise<LoadedConfig>;
}

export interface FileConfigSourceOptions extends Pick<ReadDriverConfigOptions, 'unknownKeys' | 'driver'> {
  readonly path: string;
  /** The flag that names the file, for the user who has to correct it. */
  readonly flag: string;
  /** `VSPHERE_…` variables override the file. Default: none. */
  readonly env?: Environment;
  /** Problems that this driver finds in a well-formed configuration. Default: none. */
  readonly alsoWarn?: (config: DriverConfig) => readonly Problem[];
  /** Default: from disk. */
  readonly readFile?: (path: string, options: { readonly signal: AbortSignal }) => Promise<string>;
}

const missing = (path: string, options: { readonly remedy: string; readonly cause: unknown }): VdoError =>
  new VdoError({
    code: 'ConfigMissing',
    message: `cannot read ${path}: ${options.cause instanceof Error ? options.cause.message : String(options.cause)}`,
    ...options,
  });

/** Reads `vsphere.conf` and the certificate authorities it names from files, such as a mounted ConfigMap. */
export const createFileConfigSource = (options: FileConfigSourceOptions): ConfigSource => {
  const { path, flag, unknownKeys, driver, env = {}, alsoWarn = () => [] } = options;
  const { readFile = (file, { signal }) => readFileOfDisk(file, { encoding: 'utf8', signal }) } = options;
  const parse = (text: string): Pick<LoadedConfig, 'config' | 'warnings'> => {
    const { config, warnings } = readDriverConfig(text, {
      unknownKeys,
      source: path,
      env,
      ...(driver === undefined ? {} : { driver }),
    });
    return { config, warnings: [...warnings, ...alsoWarn(config)] };
  };
  // The file is read every few seconds and rarely changes.
  let last: { readonly text: string; readonly parsed: ReturnType<typeof parse> } | undefined;
  return {
    load: async ({ signal }) => {
      const read = async (file: string, remedy: string): Promise<string> => {
        try {
          return await readFile(file, { signal });
        } catch (cause) {
          signal.throwIfAborted();
          throw missing(file, { remedy, cause });
        }
      };
      const text = await read(
        path,
        `Mount the ConfigMap with vsphere.conf at this path, or set its path with ${flag}.`,
      );
      if (last?.text !== text) last = { text, parsed: parse(text) };
      const { config, warnings } = last.parsed;
      const caFiles = [...new Set(config.vcenters.flatMap(({ tls }) => tls.caFile ?? []))];
      const caBundles = new Map<string, string>();
      for (const file of caFiles)
        caBundles.set(file, await read(file, `Mount the CA certificate at this path, or correct caFile in ${path}.`));
      return { config, warnings, caBundles, text: [text, ...caBundles.values()].join('\0') };
    },
  };
};
