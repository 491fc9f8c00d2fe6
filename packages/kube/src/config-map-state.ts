import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from './client.ts';
import { configMaps } from './types/core.ts';

export interface ConfigMapStateOptions {
  readonly client: Pick<KubeClient, 'find' | 'apply'>;
  readonly namespace: string;
  readonly name: string;
  /** Several programs may share the ConfigMap, each with a key of its own. */
  readonly key: string;
}

/** A small JSON value that outlives the process, in one key of a ConfigMap. Not for secrets. */
export interface ConfigMapState<T> {
  /** `empty` if nothing has been saved yet. */
  load(): Promise<T>;
  save(value: T): Promise<void>;
}

export const createConfigMapState = <T>(options: ConfigMapStateOptions, empty: T): ConfigMapState<T> => {
  const { client, namespace, name, key } = options;
  return {
    load: async () => {
      const text = (await client.find(configMaps, { namespace, name }))?.data?.[key];
      if (text === undefined) return empty;
      try {
        return JSON.parse(text) as T;
      } catch (cause) {
        throw new VdoError({
          code: 'ConfigInvalid',
          message: `ConfigMap ${namespace}/${name} holds no JSON under ${key}`,
          remedy: `kubectl -n ${namespace} delete configmap ${name}; it is written anew.`,
          cause,
        });
      }
    },
    save: async (value) => {
      const data = { [key]: JSON.stringify(value) };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
      // One owner per key: programs do not take each other's keys away.
      await client.apply(configMaps, object, { fieldManager: `${name}-${key}`, force: true });
    },
  };
};
