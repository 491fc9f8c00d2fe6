import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import type { Settings } from './settings.ts';

/** A kubeconfig with its paths made absolute, by name. */
export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Settings>;
  readonly users: ReadonlyMap<string, Settings>;
  readonly contexts: ReadonlyMap<string, Settings>;
}

/** Reads one kubeconfig file. */
export const readKubeconfig = async (path: string): Promise<Kubeconfig> => {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw invalidKubeconfig(
      path,
      `cannot be read: ${cause.message}`,
      'Specify an existing, readable kubeconfig file.',
      cause,
    );
  });
  return parseKubeconfig(text, path);
};

/** Reads the text of a kubeconfig; `path` is where it came from. */
const parseKubeconfig = async (text: string, path: string): Promise<Kubeconfig> => {
  const file = await parseYaml(text, path);
  const problems = problemsOf(file);
  if (!isSettings(file) || problems.length > 0)
    throw invalidKubeconfig(
      path,
      `is not a valid kubeconfig: ${problems.join('; ')}`,
      'Correct the named fields, or download the kubeconfig again.',
    );
  const folder = dirname(resolve(path));
  const current = file['current-context'];
  return {
    currentContext: typeof current === 'string' && current !== '' ? current : undefined,
    clusters: byName(file, 'cluster', (settings) => absolute(settings, folder, ['certificate-authority'])),
    users: byName(file, 'user', (settings) => absoluteUser(settings, folder)),
    contexts: byName(file, 'context', (settings) => settings),
  };
};

/** Several files of KUBECONFIG count as one: the first entry has precedence. */
export const mergeKubeconfigs = (files: readonly Kubeconfig[]): Kubeconfig => {
  const firstOf = (pick: (file: Kubeconfig) => ReadonlyMap<string, Settings>) =>
    new Map([...files].reverse().flatMap((file) => [...pick(file)]));
  return {
    currentContext: files.find(({ currentContext }) => currentContext)?.currentContext,
    clusters: firstOf(({ clusters }) => clusters),
    users: firstOf(({ users }) => users),
    contexts: firstOf(({ contexts }) => contexts),
  };
};

/** A KubeConfigInvalid with the file and its problem. */
export const invalidKubeconfig = (path: string, problem: string, remedy: string, cause?: unknown): VdoError =>
  new VdoError({
    code: 'KubeConfigInvalid',
    message: `kubeconfig ${path} ${problem}`,
    remedy,
    cause,
    details: { path },
  });

const parseYaml = async (text: string, path: string): Promise<unknown> => {
  // Only files of users need it: a pod does not, and saves the memory.
  const { yamlValue } = await import('@vdo/base/yaml');
  try {
    return yamlValue(text) ?? {};
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw invalidKubeconfig(
      path,
      `is not YAML: ${reason}`,
      'Correct the file, or download the kubeconfig again.',
      cause,
    );
  }
};

type EntryKind = 'cluster' | 'user' | 'context';
const neededFields: Readonly<Record<EntryKind, readonly string[]>> = {
  cluster: ['server'],
  user: [],
  context: ['cluster'],
};

const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The problem in the structure of a kubeconfig, by field. */
const problemsOf = (file: unknown): readonly string[] => {
  if (!isSettings(file)) return ['it is not a mapping with clusters, users and contexts'];
  return (['cluster', 'user', 'context'] as const).flatMap((kind) => {
    const entries = file[`${kind}s`] ?? [];
    if (!Array.isArray(entries)) return [`${kind}s is not a list`];
    return entries.flatMap((entry: unknown, index) => entryProblems(kind, entry, `${kind}s[${index}]`));
  });
};

const entryProblems = (kind: EntryKind, entry: unknown, place: string): readonly string[] => {
  if (!isSettings(entry)) return [`${place} is not a mapping`];
  const settings = entry[kind] ?? {};
  if (!isSettings(settings)) return [`${place}.${kind} is not a mapping`];
  return [
    ...(typeof entry['name'] === 'string' ? [] : [`${place}.name is missing`]),
    ...neededFields[kind].flatMap((field) =>
      typeof settings[field] === 'string' ? [] : [`${place}.${kind}.${field} is missing`],
    ),
  ];
};

const byName = (file: Settings, kind: EntryKind, convert: (settings: Settings) => Settings): Map<string, Settings> => {
  const entries = (file[`${kind}s`] ?? []) as readonly Settings[];
  return new Map(entries.map((entry) => [String(entry['name']), convert((entry[kind] ?? {}) as Settings)]));
};

// Relative paths are relative to the folder of their file.
const absolute = (settings: Settings, folder: string, fields: readonly string[]): Settings => {
  const paths = fields.flatMap((field) => {
    const path = settings[field];
    return typeof path === 'string' && path !== '' && !isAbsolute(path) ? [[field, join(folder, path)]] : [];
  });
  return { ...settings, ...Object.fromEntries(paths) };
};

const absoluteUser = (settings: Settings, folder: string): Settings => {
  const user = absolute(settings, folder, ['client-certificate', 'client-key', 'tokenFile']);
  const exec = user['exec'] as Settings | null | undefined;
  const command = exec?.['command'];
  // A plugin without a slash is looked up in PATH.
  return exec && typeof command === 'string' && command.includes('/')
    ? { ...user, exec: absolute(exec, folder, ['command']) }
    : user;
};
