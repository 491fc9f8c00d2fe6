import { toVdoError } from '@vdo/base/vdo-error';
import { vdoApiVersion } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { type Pod, pods, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { stringify } from 'yaml';
import { createRedactor, type Redactor } from './redactor.ts';

export interface BundleFile {
  readonly path: string;
  readonly text: string;
}

export interface Bundle {
  readonly files: readonly BundleFile[];
  /** What could not be collected, and why. */
  readonly failures: readonly string[];
}

export interface CollectOptions {
  readonly kube: KubeClient;
  /** Objects of the operator and the drivers. */
  readonly namespaces: readonly string[];
  readonly sinceSeconds: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** Cluster-wide kinds that the drivers use. */
const clusterKinds: readonly (readonly [apiVersion: string, kind: string])[] = [
  [vdoApiVersion, 'VSphereDrivers'],
  ['v1', 'Node'],
  ['v1', 'PersistentVolume'],
  ['storage.k8s.io/v1', 'StorageClass'],
  ['storage.k8s.io/v1', 'CSIDriver'],
  ['storage.k8s.io/v1', 'CSINode'],
  ['storage.k8s.io/v1', 'VolumeAttachment'],
];
const namespacedKinds: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['v1', 'Pod'],
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['v1', 'Event'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'DaemonSet'],
  ['coordination.k8s.io/v1', 'Lease'],
  [vdoApiVersion, 'VolumeIntent'],
];

const folderOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : 'core');

/** Collects the data in the layout of must-gather. Failures are recorded, and the collection continues. */
export const collect = async (options: CollectOptions): Promise<Bundle> => {
  const { kube, signal, onProgress } = options;
  const files: BundleFile[] = [];
  const failures: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    onProgress(what);
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = toVdoError(error);
      failures.push(`${what}: ${code}: ${message}`);
    }
  };

  const readSecrets = async (): Promise<readonly AnyObject[]> => {
    const found: AnyObject[] = [];
    for (const namespace of options.namespaces) {
      await attempt(`secrets of ${namespace}`, async () => {
        const { items } = await kube.list(secrets, { namespace, signal });
        found.push(...items.map((item) => ({ ...item })));
      });
    }
    return found;
  };

  const collectKind = async (redactor: Redactor, apiVersion: string, kind: string, namespace?: string) => {
    const resource = await kube.resourceFor(apiVersion, kind, { signal });
    const { items } = await kube.list(resource, { signal, ...(namespace === undefined ? {} : { namespace }) });
    const base = namespace === undefined ? 'cluster-scoped-resources' : `namespaces/${namespace}`;
    for (const item of items) {
      const { managedFields: _, ...metadata } = item.metadata as AnyObject['metadata'] & { managedFields?: unknown };
      const shown = redactor.object({ ...item, apiVersion, kind, metadata });
      const path = `${base}/${folderOf(apiVersion)}/${resource.plural}/${item.metadata.name}.yaml`;
      files.push({ path, text: stringify(shown, { lineWidth: 0, aliasDuplicateObjects: false }) });
    }
  };

  const collectLogs = async (redactor: Redactor, pod: Pod): Promise<void> => {
    const { namespace = '', name = '' } = pod.metadata;
    for (const { name: container } of pod.spec.containers) {
      for (const previous of [false, true]) {
        const restarted = pod.status?.containerStatuses?.some((one) => one.name === container && one.restartCount > 0);
        if (previous && !restarted) continue;
        await attempt(`${previous ? 'previous ' : ''}log of ${namespace}/${name} ${container}`, async () => {
          let text = '';
          const part = { container, previous, sinceSeconds: options.sinceSeconds, signal };
          for await (const piece of kube.readLog({ namespace, name }, part)) text += piece;
          const file = previous ? 'previous' : 'current';
          const path = `namespaces/${namespace}/pods/${name}/${container}/${container}/logs/${file}.log`;
          files.push({ path, text: redactor.text(text) });
        });
      }
    }
  };

  const redactor = createRedactor(await readSecrets());
  await attempt('version of Kubernetes', async () => {
    files.push({ path: 'kubernetes-version', text: `${await kube.serverVersion({ signal })}\n` });
  });
  for (const [apiVersion, kind] of clusterKinds)
    await attempt(`${kind} objects`, () => collectKind(redactor, apiVersion, kind));
  for (const namespace of options.namespaces) {
    for (const [apiVersion, kind] of namespacedKinds)
      await attempt(`${kind} objects of ${namespace}`, () => collectKind(redactor, apiVersion, kind, namespace));
    await attempt(`logs of ${namespace}`, async () => {
      const { items } = await kube.list(pods, { namespace, signal });
      for (const pod of items) await collectLogs(redactor, pod);
    });
  }
  return { files, failures: failures.map((line) => redactor.text(line)) };
};
