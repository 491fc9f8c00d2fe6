import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps, type Pod, secrets, type Volume } from '@vdo/kube/types/core';

interface KeySelection {
  readonly items?: readonly { readonly key: string; readonly path: string }[];
  readonly optional?: boolean;
}

const selected = (data: Readonly<Record<string, string>>, { items }: KeySelection): readonly [string, string][] =>
  items
    ? items.flatMap(({ key, path }) => (data[key] === undefined ? [] : [[path, data[key]] as [string, string]]))
    : Object.entries(data);

const absent = (pod: Pod, what: string): VdoError =>
  new VdoError({
    code: 'KubeNotFound',
    message: `pod ${pod.metadata.namespace}/${pod.metadata.name} needs ${what}, which does not exist`,
    remedy: 'Create it. The pod then starts automatically.',
    retry: 'backoff',
  });

const readVolume = async (kube: KubeClient, pod: Pod, volume: Volume): Promise<readonly [string, string][]> => {
  const namespace = pod.metadata.namespace ?? '';
  const configMap = volume.configMap as (KeySelection & { readonly name: string }) | undefined;
  if (configMap) {
    const object = await kube.find(configMaps, { namespace, name: configMap.name });
    if (!object && !configMap.optional) throw absent(pod, `ConfigMap ${configMap.name}`);
    return selected(object?.data ?? {}, configMap);
  }
  const secret = volume.secret as (KeySelection & { readonly secretName: string }) | undefined;
  if (secret) {
    const object = await kube.find(secrets, { namespace, name: secret.secretName });
    if (!object && !secret.optional) throw absent(pod, `Secret ${secret.secretName}`);
    const decoded = Object.entries(object?.data ?? {}).map(
      ([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')] as const,
    );
    return selected(Object.fromEntries(decoded), secret);
  }
  return [];
};

/** The path on this machine. */
export type PathMap = (path: string) => string;

export interface PodPaths {
  /** Maps a path in the container. */
  readonly inContainer: PathMap;
  /** Maps a path on the node, through the hostPath volumes of the pod. */
  readonly onNode: PathMap;
}

interface HostPath {
  readonly hostPath?: { readonly path: string };
}

const below = (prefixes: readonly { readonly prefix: string; readonly folder: string }[]): PathMap => {
  const longestFirst = [...prefixes].sort((a, b) => b.prefix.length - a.prefix.length);
  return (path) => {
    const match = longestFirst.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
    return match ? join(match.folder, path.slice(match.prefix.length)) : path;
  };
};

/**
 * Writes the ConfigMap and Secret volumes of a pod below `folder`, and gives every other mount (emptyDir, hostPath) an empty folder
 * there, so that a pod runs as a plain process without touching the machine's own files. Volumes in `mounted` already exist
 * at the given paths.
 */
export const placePodFiles = async (
  kube: KubeClient,
  pod: Pod,
  { folder, mounted }: { readonly folder: string; readonly mounted: ReadonlyMap<string, string> },
): Promise<PodPaths> => {
  const hostFolder = (name: string) => mounted.get(name) ?? join(folder, name);
  for (const volume of (pod.spec.volumes ?? []).filter(({ name }) => !mounted.has(name))) {
    await mkdir(hostFolder(volume.name), { recursive: true });
    for (const [path, content] of await readVolume(kube, pod, volume)) {
      const file = join(hostFolder(volume.name), path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { mode: 0o600 });
    }
  }
  const mounts = pod.spec.containers.flatMap(({ volumeMounts = [], volumeDevices = [] }) => [
    ...volumeMounts.map(({ mountPath, name, subPath = '' }) => ({
      name,
      prefix: mountPath,
      folder: join(hostFolder(name), subPath),
    })),
    ...volumeDevices.map(({ devicePath, name }) => ({ name, prefix: devicePath, folder: hostFolder(name) })),
  ]);
  const hostPaths = (pod.spec.volumes ?? []).flatMap((volume) => {
    const { hostPath } = volume as HostPath;
    return hostPath ? [{ name: volume.name, prefix: hostPath.path, folder: hostFolder(volume.name) }] : [];
  });
  const onNode = below(hostPaths);
  // A mounted folder of the node also shows what other volumes of the pod have below it.
  const isShared = ({ name, prefix }: { readonly name: string; readonly prefix: string }): boolean =>
    hostPaths.some((one) => one.name === name && one.prefix === prefix);
  const own = below(mounts.filter((mount) => !isShared(mount)));
  const shared = below(mounts.filter(isShared));
  const inContainer: PathMap = (path) => {
    if (own(path) !== path) return own(path);
    return shared(path) === path ? path : onNode(path);
  };
  return { inContainer, onNode };
};
