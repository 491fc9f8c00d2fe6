import { createSystemClock } from '@vdo/base/clock';
import { createSystemRandom } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { type ConfigMap, configMaps, namespaces } from '@vdo/kube/types/core';

/** An API server under test, known by a client of it. Controllers (garbage collector, namespaces, volumes) run behind it. */
export interface KubeTarget {
  readonly client: KubeClient;
  stop(): Promise<void>;
}

export type StartTarget = () => Promise<KubeTarget>;

/** What a suite works with: the client, and a namespace of its own per test. */
export interface Bench {
  readonly client: KubeClient;
  namespace(): Promise<string>;
}

export const clock = createSystemClock();
export const random = createSystemRandom();

/** A name that no other test uses. */
export const uniqueName = (prefix: string): string => `${prefix}-${random.uuid().slice(0, 8)}`;

export const createBench = (client: KubeClient): Bench => ({
  client,
  namespace: async () => {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'contract-' } };
    return (await client.create(namespaces, object)).metadata.name ?? '';
  },
});

export const configMap = (namespace: string, name: string, data: Readonly<Record<string, string>> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name },
  data,
});

export const createConfigMap = (client: KubeClient, namespace: string, name: string, data = {}): Promise<ConfigMap> =>
  client.create(configMaps, configMap(namespace, name, data));

/** Waits until `probe` gives true; the test's own time limit is the limit. */
export const eventually = async (probe: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await probe())) await new Promise((resolve) => setTimeout(resolve, 25));
};
