import type { Shell } from './command.ts';
import type { CompletionPlace } from './words.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A shell function body that sets `choices` and `values`, in zsh also `files`, for the command in `$at`. */
const cases = (shell: 'bash' | 'zsh', places: readonly CompletionPlace[]): string =>
  places
    .map(({ path, words, values, letters, takesFiles }) => {
      const pattern = (flag: string): string => (letters.get(flag) ? `${flag}|-${letters.get(flag)}` : flag);
      const byFlag = [...values].map(
        ([flag, allowed]) => `        ${pattern(flag)}) values=${quoted(allowed.join(' '))}; takes_value=1 ;;`,
      );
      return [
        `    ${quoted(path)})`,
        `      choices=${quoted(words.map(({ word }) => word).join(' '))}`,
        ...(takesFiles && shell === 'zsh' ? ['      files=1'] : []),
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

// bash takes `--output=json` for three words. Where nothing is known, it offers files by itself.
const bash = (places: readonly CompletionPlace[]): string => `# bash completion for vdoctl
_vdoctl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local at='' choices='' values='' takes_value='' candidate word
  if [ "$current" = = ]; then
    current=''
  elif [ "$previous" = = ] && [ "$COMP_CWORD" -gt 1 ]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    candidate="\${at:+$at }$word"
    case "$candidate" in ${paths(places)}) at="$candidate" ;; esac
  done
  case "$at" in
${cases('bash', places)}
  esac
  if [ -n "$takes_value" ]; then choices="$values"; fi
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _vdoctl vdoctl
`;

// Names such as path and words mean something to zsh itself.
const zsh = (places: readonly CompletionPlace[]): string => `#compdef vdoctl
_vdoctl() {
  local previous="\${words[CURRENT-1]}" at='' choices='' values='' takes_value='' files='' candidate word
  if [[ "\${words[CURRENT]}" == --*=* ]]; then
    previous="\${words[CURRENT]%%=*}"
    compset -P '*='
  fi
  for word in "\${(@)words[2,CURRENT-1]}"; do
    candidate="\${at:+$at }$word"
    case "$candidate" in ${paths(places)}) at="$candidate" ;; esac
  done
  case "$at" in
${cases('zsh', places)}
  esac
  if [[ -n "$takes_value" ]]; then
    if [[ -n "$values" ]]; then compadd -- \${=values}; else _files; fi
  else
    compadd -- \${=choices}
    if [[ -n "$files" ]]; then _files; fi
  fi
}
if [ "$funcstack[1]" = "_vdoctl" ]; then _vdoctl; else compdef _vdoctl vdoctl; fi
`;

const fish = (places: readonly CompletionPlace[]): string => {
  const lines = places.flatMap(({ path, words, values, letters, takesFiles }) => {
    const condition = `-n ${quoted(`__vdoctl_at ${quoted(path)}`)}`;
    const shown = words.map(({ word, meaning }) => {
      if (!word.startsWith('--')) return `complete -c vdoctl -f ${condition} -a ${quoted(word)} -d ${quoted(meaning)}`;
      const allowed = values.get(word);
      const value = allowed === undefined ? '' : allowed.length > 0 ? ` -x -a ${quoted(allowed.join(' '))}` : ' -r -F';
      const short = letters.get(word) ? ` -s ${letters.get(word)}` : '';
      return `complete -c vdoctl ${condition}${short} -l ${word.slice(2)} -d ${quoted(meaning)}${value}`;
    });
    return takesFiles ? [`complete -c vdoctl ${condition} -F`, ...shown] : shown;
  });
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
complete -c vdoctl -f
${lines.join('\n')}
`;
};

/** The script for a shell, made from the commands themselves. */
export const completionScript = (shell: Shell, places: readonly CompletionPlace[]): string =>
  ({ bash, zsh, fish })[shell](places);
