import type { Container, Pod } from '@vdo/kube/types/core';
import type { PathMap } from './pod-files.ts';

/** A container as a command of this machine. */
export interface ContainerCommand {
  /** `cpi`, `csi`, `operator`: from the image's convention `node [flags] /app/<app>.js`; empty for any other command. */
  readonly app: string;
  /** Node's own flags, before the program. */
  readonly nodeFlags: readonly string[];
  /** Arguments of an app, or any other command with its arguments; empty if the image decides. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface FieldRef {
  readonly fieldRef?: { readonly fieldPath: string };
}

const fieldValue = (pod: Pod, path: string, address: string): string =>
  ({
    'metadata.name': pod.metadata.name ?? '',
    'metadata.namespace': pod.metadata.namespace ?? '',
    'metadata.uid': pod.metadata.uid ?? '',
    'spec.nodeName': pod.spec.nodeName ?? '',
    'spec.serviceAccountName': pod.spec.serviceAccountName ?? '',
    'status.podIP': address,
    'status.hostIP': address,
  })[path] ?? '';

const environment = (pod: Pod, container: Container, address: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (container.env ?? []).map(({ name, value, valueFrom }) => [
      name,
      value ?? fieldValue(pod, (valueFrom as FieldRef | undefined)?.fieldRef?.fieldPath ?? '', address),
    ]),
  );

/** Tells a script the path of a mount on this machine: `VDO_MOUNT_DATA` for the volume `data`. */
const mountVariables = (
  { volumeMounts = [], volumeDevices = [] }: Container,
  paths: PathMap,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [
      ...volumeMounts.map(({ name, mountPath }) => [name, mountPath] as const),
      ...volumeDevices.map(({ name, devicePath }) => [name, devicePath] as const),
    ].map(([name, path]) => [`VDO_MOUNT_${name.toUpperCase().replaceAll('-', '_')}`, paths(path)]),
  );

const expand = (text: string, env: Readonly<Record<string, string>>): string =>
  text.replace(/\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g, (whole, name: string) => env[name] ?? whole);

// `--flag=/path`, `--flag=unix:///path` and `/path` are the three ways an argument can hold a container path.
const relocate = (argument: string, paths: PathMap): string =>
  argument.replace(
    /^(--[\w-]+=)?(unix:\/\/)?(\/.*)$/,
    (_, flag = '', scheme = '', path: string) => `${flag}${scheme}${paths(path)}`,
  );

/** Resolves variables and maps paths and listening addresses to those of this machine. */
export const containerCommand = (
  pod: Pod,
  container: Container,
  options: { readonly address: string; readonly paths: PathMap },
): ContainerCommand => {
  const env = { ...environment(pod, container, options.address), ...mountVariables(container, options.paths) };
  const words = [...(container.command ?? []), ...(container.args ?? [])];
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  const app = words[0] === 'node' ? /^\/app\/([\w-]+)\.js$/.exec(words[at] ?? '')?.[1] : undefined;
  const args = (app === undefined ? words : words.slice(at + 1)).map((argument) =>
    relocate(expand(argument, env), options.paths).replace(/=(0\.0\.0\.0|127\.0\.0\.1)$/, `=${options.address}`),
  );
  return { app: app ?? '', nodeFlags: app === undefined ? [] : words.slice(1, at), args, env };
};
