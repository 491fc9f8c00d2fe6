/** Flags that people write before the command, as kubectl allows it; true: a value follows. */
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

/** Takes `--sandbox NAME` out of a command line: every command knows it, and it says where, not what. */
export const takeSandbox = (
  argv: readonly string[],
): { readonly argv: readonly string[]; readonly sandbox?: string | undefined } => {
  const end = argv.indexOf('--');
  const at = argv.findIndex((word, index) => (end < 0 || index < end) && /^--sandbox(=|$)/.test(word));
  if (at < 0) return { argv };
  const [, inline] = (argv[at] ?? '').split(/=(.*)/s);
  const sandbox = inline ?? argv[at + 1];
  // Without a name it is left for the parser to complain about.
  if (sandbox === undefined || sandbox.startsWith('-')) return { argv };
  return { argv: argv.toSpliced(at, inline === undefined ? 2 : 1), sandbox };
};

/** Moves flags that stand before the command behind it, where the command looks for them. */
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

/** `help status` says the same as `status --help`, however deep the command lies. */
export const helpFirst = (argv: readonly string[]): readonly string[] =>
  argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
