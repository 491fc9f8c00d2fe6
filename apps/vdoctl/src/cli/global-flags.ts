/** Flags that people write before the command, as kubectl allows it; true: a value follows. */
const globalFlags: Readonly<Record<string, boolean>> = {
  '--kubeconfig': true,
  '--context': true,
  '--namespace': true,
  '-n': true,
  '--output': true,
  '-o': true,
  '--no-color': false,
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
