/** What is known of a verb of kubectl: as much as the commands that we print use. */
interface Verb {
  /** Long and short options that take a value, and those that stand alone. */
  readonly values?: readonly string[];
  readonly switches?: readonly string[];
  /** What the first words after it are. */
  readonly takes?: 'kind and name' | 'kind' | 'node' | 'pod' | 'nothing';
  /** One of these must be there. */
  readonly needs?: readonly string[];
}

const everywhere = { values: ['-n', '--namespace', '--context', '--kubeconfig'], switches: ['-h', '--help'] };
const selection = ['-l', '--selector', '--field-selector'];
const file = ['-f', '--filename', '-k', '--kustomize'];

const verbs: Readonly<Record<string, Verb>> = {
  get: {
    takes: 'kind',
    values: [...selection, '-o', '--output', '--sort-by', '-L', '--label-columns'],
    switches: ['-A', '--all-namespaces', '-w', '--watch', '--show-labels', '--show-managed-fields'],
  },
  describe: { takes: 'kind', values: selection, switches: ['-A', '--all-namespaces'] },
  explain: { takes: 'kind', values: ['--api-version'], switches: ['--recursive'] },
  delete: {
    takes: 'kind and name',
    values: [...selection, ...file, '--timeout'],
    switches: ['--wait', '--all', '--ignore-not-found'],
  },
  edit: { takes: 'kind and name' },
  patch: { takes: 'kind and name', values: ['--type', '-p', '--patch', '--subresource'], needs: ['-p', '--patch'] },
  label: { takes: 'kind and name', values: selection, switches: ['--overwrite', '--all'] },
  annotate: { takes: 'kind and name', values: selection, switches: ['--overwrite', '--all'] },
  taint: { takes: 'kind and name', switches: ['--overwrite'] },
  wait: { takes: 'kind and name', values: ['--for', '--timeout', ...selection], needs: ['--for'] },
  scale: { takes: 'kind and name', values: ['--replicas'], needs: ['--replicas'] },
  rollout: { takes: 'nothing' },
  apply: { takes: 'nothing', values: file, switches: ['--server-side', '--force-conflicts'], needs: file },
  replace: { takes: 'nothing', values: file, switches: ['--force'], needs: file },
  create: {
    takes: 'nothing',
    values: [...file, '--from-literal', '--from-file', '--dry-run', '-o', '--clusterrole', '--serviceaccount'],
  },
  logs: {
    takes: 'pod',
    values: ['-l', '-c', '--container', '--since', '--tail'],
    switches: ['-f', '--follow', '-p', '--previous', '--all-containers', '--prefix'],
  },
  // What comes after -- belongs to the program in the pod.
  exec: { takes: 'pod', values: ['-c'], switches: ['-i', '-t', '-it'] },
  'port-forward': { takes: 'pod' },
  drain: {
    takes: 'node',
    values: ['--timeout'],
    switches: ['--ignore-daemonsets', '--delete-emptydir-data', '--force'],
  },
  cordon: { takes: 'node' },
  uncordon: { takes: 'node' },
  config: { takes: 'nothing' },
  auth: { takes: 'nothing', values: ['--as'] },
  version: { takes: 'nothing', values: ['-o'] },
};

const kinds = new Set(
  [
    'all clusterrole clusterrolebinding configmap crd csidriver csinode csistoragecapacity daemonset deployment endpoints event',
    'job lease namespace node pod poddisruptionbudget pv pvc persistentvolume persistentvolumeclaim role rolebinding secret',
    'service statefulset sc storageclass volumeattachment volumesnapshot volumesnapshotclass volumesnapshotcontent',
    'vspheredrivers vdoconfig volumeintent clusterversion clustercsidriver infrastructure servicemonitor prometheusrule',
  ]
    .join(' ')
    .split(' ')
    .flatMap((kind) => [kind, `${kind}s`, `${kind}es`, kind.replace(/y$/, 'ies')]),
);

const isKind = (word: string): boolean =>
  (word.split('/')[0] ?? '').split(',').every((kind) => kinds.has(kind.split('.')[0] ?? '') || kind === 'VALUE');

interface Parsed {
  readonly name: string;
  readonly verb: Verb;
  readonly options: ReadonlyMap<string, string>;
  readonly args: readonly string[];
}

/** The parts of a command, or what cannot be understood of it. */
const parse = (words: readonly string[]): Parsed | string => {
  const verbAt = words.findIndex((word, at) => word in verbs && !everywhere.values.includes(words[at - 1] ?? ''));
  const name = words[verbAt] ?? '';
  const verb = verbs[name];
  if (!verb) return `unknown verb ${words[0]}`;
  const options = new Map<string, string>();
  const args: string[] = [];
  const alone = [...everywhere.switches, ...(verb.switches ?? [])];
  const valued = [...everywhere.values, ...(verb.values ?? [])];
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  for (let at = 0; at < end; at++) {
    const word = words[at] ?? '';
    const [option = '', ...value] = word.split('=');
    if (at === verbAt) continue;
    if (!word.startsWith('-')) args.push(word);
    else if (alone.includes(option)) options.set(option, 'true');
    else if (valued.includes(option)) options.set(option, value.length > 0 ? value.join('=') : (words[++at] ?? ''));
    else return `${name} has no option ${option}`;
  }
  return { name, verb, options, args };
};

const patchComplaint = (body: string): string | undefined => {
  try {
    JSON.parse(body.replace('{VALUE}', '{}'));
    return undefined;
  } catch {
    return `the patch is no JSON: ${body}`;
  }
};

/** Whether the words after the verb say what it is about. */
const argsComplaint = ({ name, verb: { takes }, options, args }: Parsed): string | undefined => {
  const [first = '', second] = args;
  if (takes === 'nothing' || file.some((option) => options.has(option))) return undefined;
  const selected = selection.some((option) => options.has(option)) || options.has('--all');
  if (takes === 'node' || takes === 'pod') return first === '' && !selected ? `${name} names no ${takes}` : undefined;
  if (!isKind(first)) return `${name} of an unknown kind ${first}`;
  const named = /\/|^VALUE$/.test(first) || second !== undefined || selected;
  return takes === 'kind and name' && !named ? `${name} names no object` : undefined;
};

/**
 * What is wrong with a kubectl command, as far as can be told without a cluster. Where it is only named, in a sentence, its parts may be
 * missing, but those that are there must be right.
 */
export const kubectlComplaint = (words: readonly string[], { named = false } = {}): string | undefined => {
  const parsed = parse(words);
  if (typeof parsed === 'string') return words[0] === 'VALUE' ? undefined : parsed;
  const { name, verb, options, args } = parsed;
  const empty = [...options].find(([, value]) => value === '');
  if (empty) return `${empty[0]} has no value`;
  const needed = verb.needs ?? [];
  if (!named && needed.length > 0 && !needed.some((option) => options.has(option))) {
    return `${name} needs ${needed.join(' or ')}`;
  }
  const aboutArgs = named && args.length === 0 ? undefined : argsComplaint(parsed);
  const patch = options.get('-p') ?? options.get('--patch');
  return aboutArgs ?? (name === 'patch' && patch !== undefined ? patchComplaint(patch) : undefined);
};
