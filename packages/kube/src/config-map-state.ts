import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from './client.ts';
import { configMaps } from './types/core.ts';

export interface ConfigMapStateOptions {
  readonly client: Pick<KubeClient, 'find' | 'apply'>;
  readonly namespace: string;
  readonly name: string;
  /** Several programs may share the ConfigMap; each has its own key. */
  readonly key: string;
  /** Whether a value has the expected form. Default: every value has. */
  readonly isValid?: (value: unknown) => boolean;
  /**
   * The version of the form, written beside the value as `<key>-version`. A value of a later version counts as unreadable; a value without a
   * version, as the first release wrote it, has version 1. Default: no version is written or read.
   */
  readonly version?: number;
  /** Called once for an unreadable value, which then counts as empty. By default, loading it is an error. */
  readonly onUnreadable?: (error: VdoError) => void;
  /**
   * Overwrites only what was loaded or written here last: if another writer wrote in between, the result is a KubeConflict, and the next load
   * returns what it wrote. For a value that only one program writes at a time. Default false.
   */
  readonly exclusive?: boolean;
}

/** A small JSON value that outlives the process, in one key of a ConfigMap. Not for secrets. */
export interface ConfigMapState<T> {
  /** `empty` if nothing has been saved yet. */
  load(): Promise<T>;
  save(value: T, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

export const createConfigMapState = <T>(options: ConfigMapStateOptions, empty: T): ConfigMapState<T> => {
  const { client, namespace, name, key, isValid = () => true, version, onUnreadable, exclusive = false } = options;
  const versionKey = `${key}-version`;
  let reportedOf: string | undefined;
  let resourceVersion: string | undefined;

  const parse = (text: string, writtenAs: string | undefined): T => {
    try {
      if (version !== undefined && writtenAs !== undefined && !(Number(writtenAs) <= version))
        throw new TypeError(`it has format version ${writtenAs}, but this program reads only up to version ${version}`);
      const value: unknown = JSON.parse(text);
      if (isValid(value)) return value as T;
      throw new TypeError('it does not have the expected format');
    } catch (cause) {
      throw new VdoError({
        code: 'ConfigInvalid',
        message: `ConfigMap ${namespace}/${name} has no readable value under key ${key}: ${cause instanceof Error ? cause.message : cause}`,
        remedy: `kubectl -n ${namespace} delete configmap ${name}; the program writes it again.`,
        cause,
      });
    }
  };

  return {
    load: async () => {
      const found = await client.find(configMaps, { namespace, name });
      resourceVersion = found?.metadata.resourceVersion;
      const text = found?.data?.[key];
      if (text === undefined) return empty;
      try {
        return parse(text, found?.data?.[versionKey]);
      } catch (error) {
        if (!onUnreadable || !(error instanceof VdoError)) throw error;
        if (reportedOf !== resourceVersion) onUnreadable(error);
        reportedOf = resourceVersion;
        return empty;
      }
    },
    save: async (value, { signal } = {}) => {
      const data = { [key]: JSON.stringify(value), ...(version === undefined ? {} : { [versionKey]: `${version}` }) };
      const metadata = { name, namespace, ...(exclusive && resourceVersion ? { resourceVersion } : {}) };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
      // Each key has one owner: programs do not remove the keys of others.
      const owner = { fieldManager: `${name}-${key}`, force: true };
      const written = await client.apply(configMaps, object, {
        ...owner,
        ...(signal ? { signal } : {}),
      });
      resourceVersion = written?.metadata?.resourceVersion ?? resourceVersion;
    },
  };
};
