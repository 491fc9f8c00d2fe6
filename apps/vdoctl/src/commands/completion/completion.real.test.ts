import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';

/** Prints what the function of the script offers for the words that bash would hand it. */
const bashDriver = `
source "$1"
line=$2
complete -p vdoctl >/dev/null || exit 1
[[ $line == *' ' ]] && open=1
# As readline splits: the equals sign is a word.
read -ra COMP_WORDS <<<"\${line//=/ = }"
[[ -n $open ]] && COMP_WORDS+=('')
[[ $line == *= ]] && COMP_WORDS+=('')
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
_vdoctl
printf '%s\\n' "\${COMPREPLY[@]}"
`;

/** An interactive zsh in a pseudo-terminal; what its completion adds is printed between brackets. */
const zshDriver = `
zmodload zsh/zpty
zpty shell zsh -f -i
{
  zpty -w shell "PROMPT=; unsetopt zle_bracketed_paste; cd $3"
  zpty -w shell "autoload -U compinit; compinit -u -D"
  zpty -w shell "source $1"
  zpty -w shell 'compadd () {
    local -a hits
    builtin compadd -A hits "$@"
    print -lr -- "<"\${^hits}">"
    builtin compadd "$@"
  }; told () { print "<END>" }; comppostfuncs=(told); print "<READY>"'
  # What was typed comes back as well: it has no brackets around whole words.
  while zpty -r shell line; do [[ $line == '<READY>'* ]] && break; done
  zpty -w -n shell "$2"$'\\t'
  while zpty -r shell line; do
    [[ $line == *'<END>'* ]] && break
    [[ $line == *'<'*'>'* ]] && print -r -- "\${\${line##*<}%%>*}"
  done
} always { zpty -d shell }
`;

const fishDriver = `
source $argv[1]
complete -C $argv[2]
`;

const fakeVdoctl = `#!/bin/sh
[ "$1 $2 $4 $5" = "completion names -- $5" ] || exit 1
case "$3 $5" in
  'nodes nodes') printf '%s\\n' node-1 node-2 ;;
  'nodes logs') printf '%s\\n' node-1 ;;
  'volumes volumes') printf '%s\\n' shop/data-0 pvc-1 ;;
  'words explain') printf '%s\\n' VCenterLoginRejected node/vm-found ;;
esac
`;

const drivers = { bash: bashDriver, zsh: zshDriver, fish: fishDriver } as const;
const shells = ['bash', 'zsh', 'fish'] as const;
const runProgram = promisify(execFile);

describe.each(shells)('the completion of %s', (shell) => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), `vdoctl-${shell}-`));
    await writeFile(join(folder, 'script'), (await runVdoctl(['completion', shell])).out);
    await writeFile(join(folder, 'driver'), drivers[shell]);
    await writeFile(join(folder, 'bundle.tar'), '');
    // The scripts ask vdoctl for names, with the line so far.
    await writeFile(join(folder, 'vdoctl'), fakeVdoctl, { mode: 0o755 });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const offered = async (line: string): Promise<readonly string[]> => {
    const quiet = shell === 'bash' ? ['--norc'] : shell === 'zsh' ? ['-f'] : ['--no-config'];
    const args = [...quiet, join(folder, 'driver'), join(folder, 'script'), line, folder];
    const path = `${folder}:${process.env['PATH']}`;
    const env = { ...process.env, PATH: path, HOME: folder, TERM: 'dumb' };
    const { stdout } = await runProgram(shell, args, { cwd: folder, env, timeout: 60_000 });
    // fish prints what a word means behind it.
    const words = stdout.split('\n').flatMap((text) => text.replace('\r', '').split('\t', 1));
    return [...new Set(words)].filter((word) => word !== '').sort();
  };

  it('offers commands', async () => {
    expect(await offered('vdoctl st')).toEqual(['status']);
    expect(await offered('vdoctl vsphere user ')).toEqual(
      expect.arrayContaining(['apply', 'create', 'delete', 'rotate', 'verify']),
    );
    const first = await offered('vdoctl ');
    expect(first).toEqual(expect.arrayContaining(['configure', 'doctor', 'install', 'sandbox', 'status']));
    expect(first).not.toContain('verify');
  });

  it('offers the options of a command, and of no other', async () => {
    expect(await offered('vdoctl uninstall --o')).toEqual(['--orphan-volumes']);
    expect(await offered('vdoctl status --orphan')).toEqual([]);
    expect(await offered('vdoctl matrix show --dri')).toEqual(['--driver']);
  });

  it('offers the values of an option, however it is written', async () => {
    const formats = ['json', 'jsonpath=', 'table', 'wide', 'yaml'];
    expect(await offered('vdoctl status --output ')).toEqual(formats);
    expect(await offered('vdoctl status -o ')).toEqual(formats);
    const joined = await offered('vdoctl status --output=');
    expect(joined.map((word) => word.replace('--output=', ''))).toEqual(formats);
    expect(await offered('vdoctl status --output j')).toEqual(['json', 'jsonpath=']);
  });

  it('offers the values of an argument', async () => {
    expect(await offered('vdoctl completion ')).toEqual(expect.arrayContaining([...shells]));
    expect(await offered('vdoctl sandbox break vcenter-d')).toEqual(['vcenter-down']);
  });

  it('offers files where a file may stand, and nowhere else', async () => {
    expect(await offered('vdoctl bundle verify bun')).toEqual(['bundle.tar']);
    expect(await offered('vdoctl render --file bun')).toEqual(['bundle.tar']);
    for (const line of ['status', 'volumes', 'nodes', 'events', 'explain', 'logs --node', 'status --context'])
      expect(await offered(`vdoctl ${line} bun`), line).toEqual([]);
  });

  it('offers names of the cluster and words of the product', async () => {
    expect(await offered('vdoctl nodes n')).toEqual(['node-1', 'node-2']);
    expect(await offered('vdoctl logs --node n')).toEqual(['node-1']);
    expect(await offered('vdoctl volumes sh')).toEqual(['shop/data-0']);
    expect(await offered('vdoctl explain VC')).toEqual(['VCenterLoginRejected']);
    expect(await offered('vdoctl nodes --w')).toEqual(['--watch']);
  });
});
