/** Flags that kubectl also accepts before the command; true: the flag takes a value. */
const globalFlags: Readonly<Record<string, boolean>> = {
  '--kubeconfig': true,
  '--context': true,
  '--namespace': true,
  '-n': true,
  '--output': true,
  '-o': true,
  '--no-color': false,
  '--all-namespaces': false,
  '-A': false,
};

/** Removes `--sandbox NAME` from the command line: every command accepts it. */
export const takeSandbox = (
  argv: readonly string[],
): { readonly argv: readonly string[]; readonly sandbox?: string | undefined } => {
  const end = argv.indexOf('--');
  const at = argv.findIndex((word, index) => (end < 0 || index < end) && /^--sandbox(=|$)/.test(word));
  if (at < 0) return { argv };
  const [, inline] = (argv[at] ?? '').split(/=(.*)/s);
  const sandbox = inline ?? argv[at + 1];
  // Without a name, the parser reports the error.
  if (sandbox === undefined || sandbox.startsWith('-')) return { argv };
  return { argv: argv.toSpliced(at, inline === undefined ? 2 : 1), sandbox };
};

/** Moves flags from before the command to after it, where commander expects them. */
export const moveGlobalFlags = (argv: readonly string[]): readonly string[] => {
  let at = 0;
  while (at < argv.length) {
    const [name = '', value] = (argv[at] ?? '').split(/=(.*)/s);
    const takesValue = globalFlags[name];
    if (takesValue === undefined) break;
    at += takesValue && value === undefined ? 2 : 1;
  }
  if (at === 0 || at >= argv.length) return argv;
  const [flags, rest] = [argv.slice(0, at), argv.slice(at)];
  const end = rest.indexOf('--');
  return end < 0 ? [...rest, ...flags] : [...rest.slice(0, end), ...flags, ...rest.slice(end)];
};

/** `help status` means `status --help`, also for subcommands. */
export const helpFirst = (argv: readonly string[]): readonly string[] =>
  argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;

/** Flags of 0.1.0 that have another name now, by command. Scripts go on working. */
const formerFlags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  uninstall: { '--keep-definitions': '--keep-crds' },
  cni: { '--replace': '--beside-other' },
};

/** The command line with the present names of flags. */
export const withPresentFlags = (argv: readonly string[]): readonly string[] => {
  const renamed = formerFlags[argv[0] ?? ''] ?? {};
  const end = argv.indexOf('--');
  return argv.map((word, index) => (end >= 0 && index > end ? word : (renamed[word] ?? word)));
};
