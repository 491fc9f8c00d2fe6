import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import { parse } from 'yaml';
import { z } from 'zod';

const named = <T extends z.ZodType>(field: string, value: T) =>
  z.array(z.looseObject({ name: z.string(), [field]: value })).nullish();

const fileSchema = z.looseObject({
  'current-context': z.string().nullish(),
  clusters: named('cluster', z.looseObject({ server: z.string() })),
  users: named('user', z.looseObject({}).nullish()),
  contexts: named('context', z.looseObject({ cluster: z.string(), user: z.string().nullish() })),
});

type Settings = Readonly<Record<string, unknown>>;

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
      'Name an existing, readable kubeconfig file.',
      cause,
    );
  });
  return parseKubeconfig(text, path);
};

/** Reads the text of a kubeconfig; `path` is where it came from. */
export const parseKubeconfig = (text: string, path: string): Kubeconfig => {
  const parsed = fileSchema.safeParse(parseYaml(text, path));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
    throw invalidKubeconfig(
      path,
      `is no kubeconfig: ${problems.join('; ')}`,
      'Correct the named fields, or fetch the kubeconfig anew.',
    );
  }
  const folder = dirname(resolve(path));
  const { clusters, users, contexts } = parsed.data;
  return {
    currentContext: parsed.data['current-context'] || undefined,
    clusters: byName(clusters, 'cluster', (settings) => absolute(settings, folder, ['certificate-authority'])),
    users: byName(users, 'user', (settings) => absoluteUser(settings, folder)),
    contexts: byName(contexts, 'context', (settings) => settings),
  };
};

/** Several files of KUBECONFIG are one: what is found first counts. */
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

/** A KubeConfigInvalid that names the file and what is wrong with it. */
export const invalidKubeconfig = (path: string, problem: string, remedy: string, cause?: unknown): VdoError =>
  new VdoError({
    code: 'KubeConfigInvalid',
    message: `kubeconfig ${path} ${problem}`,
    remedy,
    cause,
    details: { path },
  });

const parseYaml = (text: string, path: string): unknown => {
  try {
    return parse(text) ?? {};
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw invalidKubeconfig(path, `is not YAML: ${reason}`, 'Correct the file, or fetch the kubeconfig anew.', cause);
  }
};

const byName = (
  entries: readonly Readonly<Record<string, unknown>>[] | null | undefined,
  field: string,
  convert: (settings: Settings) => Settings,
): Map<string, Settings> =>
  new Map((entries ?? []).map((entry) => [String(entry['name']), convert((entry[field] ?? {}) as Settings)]));

// Relative paths are relative to the file that holds them.
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
