import type { Shell } from './command.ts';
import type { CompletionPlace, Offer } from './words.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Shell assignments for an offer: `values='json yaml'`, `names='nodes'` or `files=1`. */
const assigned = (offer: Offer, words: string): readonly string[] => {
  if (offer.kind === 'words') return [`${words}=${quoted(offer.words.join(' '))}`];
  if (offer.kind === 'names') return [`names=${quoted(offer.of)}`];
  return offer.kind === 'files' ? ['files=1'] : [];
};

/** A shell function body that sets `choices`, `values`, `names` and `files` for the command in `$at`. */
const cases = (places: readonly CompletionPlace[]): string =>
  places
    .map(({ path, words, values, letters, argument }) => {
      const pattern = (flag: string): string => (letters.get(flag) ? `${flag}|-${letters.get(flag)}` : flag);
      // For a flag's value, the offers of the argument do not apply.
      const byFlag = [...values].map(
        ([flag, offer]) =>
          `        ${pattern(flag)}) takes_value=1; names=''; files=''; ${assigned(offer, 'values').join('; ')} ;;`,
      );
      return [
        `    ${quoted(path)})`,
        `      choices=${quoted(words.map(({ word }) => word).join(' '))}`,
        ...assigned(argument, 'more').map((line) => `      ${line}`),
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

// bash splits `--output=json` into three words. Cluster flags in the command line apply to the names, too.
const bash = (places: readonly CompletionPlace[]): string => `# bash completion for vdoctl
_vdoctl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local at='' choices='' values='' takes_value='' names='' files='' candidate word
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
${cases(places)}
  esac
  if [ -n "$takes_value" ]; then choices="$values"; fi
  if [ -n "$names" ] && [ "\${current#-}" = "$current" ]; then
    choices="$choices $("\${COMP_WORDS[0]}" completion names "$names" -- "\${COMP_WORDS[@]:1}" 2>/dev/null)"
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
  if [ -n "$files" ]; then
    COMPREPLY+=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _vdoctl vdoctl
`;

// Variables such as path and words have a special meaning in zsh.
const zsh = (places: readonly CompletionPlace[]): string => `#compdef vdoctl
_vdoctl() {
  local previous="\${words[CURRENT-1]}" at='' choices='' values='' takes_value='' names='' files='' candidate word
  if [[ "\${words[CURRENT]}" == --*=* ]]; then
    previous="\${words[CURRENT]%%=*}"
    compset -P '*='
  fi
  for word in "\${(@)words[2,CURRENT-1]}"; do
    candidate="\${at:+$at }$word"
    case "$candidate" in ${paths(places)}) at="$candidate" ;; esac
  done
  case "$at" in
${cases(places)}
  esac
  if [[ -n "$takes_value" ]]; then choices="$values"; fi
  if [[ -n "$choices" ]]; then compadd -- \${=choices}; fi
  if [[ -n "$names" && "\${words[CURRENT]}" != -* ]]; then
    compadd -- \${(f)"$("\${words[1]}" completion names "$names" -- "\${(@)words[2,-1]}" 2>/dev/null)"}
  fi
  if [[ -n "$files" ]]; then _files; fi
}
if [ "$funcstack[1]" = "_vdoctl" ]; then _vdoctl; else compdef _vdoctl vdoctl; fi
`;

/** Arguments of fish's `complete` for an offer. */
const fishOffer = (offer: Offer): string => {
  if (offer.kind === 'words') return `-x -a ${quoted(offer.words.join(' '))}`;
  if (offer.kind === 'names') return `-x -a ${quoted(`(__vdoctl_names ${offer.of})`)}`;
  return offer.kind === 'files' ? '-r -F' : '-x';
};

const fish = (places: readonly CompletionPlace[]): string => {
  const lines = places.flatMap(({ path, words, values, letters, argument }) => {
    const condition = `-n ${quoted(`__vdoctl_at ${quoted(path)}`)}`;
    const shown = words.map(({ word, meaning }) => {
      if (!word.startsWith('--')) return `complete -c vdoctl -f ${condition} -a ${quoted(word)} -d ${quoted(meaning)}`;
      const offer = values.get(word);
      const value = offer === undefined ? '' : ` ${fishOffer(offer)}`;
      const short = letters.get(word) ? ` -s ${letters.get(word)}` : '';
      return `complete -c vdoctl ${condition}${short} -l ${word.slice(2)} -d ${quoted(meaning)}${value}`;
    });
    if (argument.kind === 'files') return [`complete -c vdoctl ${condition} -F`, ...shown];
    return argument.kind === 'nothing' ? shown : [`complete -c vdoctl ${condition} ${fishOffer(argument)}`, ...shown];
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
function __vdoctl_names
  set -l typed (commandline -opc)
  $typed[1] completion names $argv[1] -- $typed[2..-1] 2>/dev/null
end
complete -c vdoctl -f
${lines.join('\n')}
`;
};

/** The completion script for a shell, generated from the commands. */
export const completionScript = (shell: Shell, places: readonly CompletionPlace[]): string =>
  ({ bash, zsh, fish })[shell](places);
