import type { Shell } from './command.ts';
import type { CompletionPlace } from './words.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A shell function body that sets `words` and `values` for the path in `$path`; the same for bash and zsh. */
const cases = (places: readonly CompletionPlace[]): string =>
  places
    .map(({ path, words, values }) => {
      const byFlag = [...values].map(
        ([flag, allowed]) => `        ${flag}) values=${quoted(allowed.join(' '))}; takes_value=1 ;;`,
      );
      return [
        `    ${quoted(path)})`,
        `      words=${quoted(words.map(({ word }) => word).join(' '))}`,
        ...(byFlag.length === 0 ? [] : ['      case "$previous" in', ...byFlag, '      esac']),
        '      ;;',
      ].join('\n');
    })
    .join('\n');

const paths = (places: readonly CompletionPlace[]): string =>
  places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|');

const bash = (places: readonly CompletionPlace[]): string => `# bash completion for vdoctl
_vdoctl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path='' words='' values='' takes_value='' candidate word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    candidate="\${path:+$path }$word"
    case "$candidate" in ${paths(places)}) path="$candidate" ;; esac
  done
  case "$path" in
${cases(places)}
  esac
  if [ -n "$takes_value" ]; then
    if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o default -F _vdoctl vdoctl
`;

const zsh = (places: readonly CompletionPlace[]): string => `#compdef vdoctl
_vdoctl() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" path='' values='' takes_value='' candidate word
  local -a given
  given=("\${(@)words[2,CURRENT-1]}")
  for word in "\${given[@]}"; do
    candidate="\${path:+$path }$word"
    case "$candidate" in ${paths(places)}) path="$candidate" ;; esac
  done
  local words=''
  case "$path" in
${cases(places)}
  esac
  if [[ -n "$takes_value" ]]; then
    if [[ -n "$values" ]]; then compadd -- \${=values}; else _files; fi
  else
    compadd -- \${=words}
  fi
}
if [ "$funcstack[1]" = "_vdoctl" ]; then _vdoctl; else compdef _vdoctl vdoctl; fi
`;

const fish = (places: readonly CompletionPlace[]): string => {
  const lines = places.flatMap(({ path, words, values }) =>
    words.map(({ word, meaning }) => {
      const condition = `-n ${quoted(`__vdoctl_at ${quoted(path)}`)}`;
      if (!word.startsWith('--')) return `complete -c vdoctl -f ${condition} -a ${quoted(word)} -d ${quoted(meaning)}`;
      const allowed = values.get(word);
      const value = allowed === undefined ? '' : allowed.length > 0 ? ` -x -a ${quoted(allowed.join(' '))}` : ' -r';
      return `complete -c vdoctl ${condition} -l ${word.slice(2)} -d ${quoted(meaning)}${value}`;
    }),
  );
  return `# fish completion for vdoctl
function __vdoctl_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l candidate (string trim -- "$path $word")
    contains -- $candidate ${places
      .filter(({ path }) => path !== '')
      .map(({ path }) => quoted(path))
      .join(' ')}; and set path $candidate
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
};

/** The script for a shell, made from the commands themselves. */
export const completionScript = (shell: Shell, places: readonly CompletionPlace[]): string =>
  ({ bash, zsh, fish })[shell](places);
