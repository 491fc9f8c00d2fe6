import { allCommands } from '@vdo/vdoctl/commands/all-commands';
import { describe, expect, it } from 'vitest';
import { type CommandLine, commandLines, textsOf } from './command-lines.ts';
import { kubectlComplaint } from './kubectl-parser.ts';
import { codeOf } from './markdown.ts';
import { pages, read, sources } from './repository.ts';
import { namedComplaint, wholeComplaint } from './vdoctl-parser.ts';

interface FoundLine extends CommandLine {
  readonly in: string;
}

const code = pages().flatMap((page) => codeOf(read(page)).map((found) => ({ ...found, path: page })));
const texts = sources().flatMap((path) => {
  const source = read(path);
  return /vdoctl|kubectl/.test(source) ? textsOf(path, source).map((text) => ({ path, text })) : [];
});

const inPages = (program: string, where: { readonly block: boolean }): readonly FoundLine[] =>
  code
    .filter(({ block }) => block === where.block)
    .flatMap(({ path, text }) => commandLines(text, program, 'script').map((line) => ({ ...line, in: path })));
/** Words that follow the name of a program in sentences about it. */
const prose = new Set([
  ...['alone', 'cannot', 'commands', 'does', 'of', 'that', 'where', 'without'],
  ...['COMMAND', 'VALUE'],
]);
const inPrograms = (program: string): readonly FoundLine[] =>
  texts.flatMap(({ path, text }) => commandLines(text, program, 'sentence').map((line) => ({ ...line, in: path })));

const wrongOf = async (
  lines: readonly FoundLine[],
  complain: (words: readonly string[]) => Promise<string | undefined> | string | undefined,
): Promise<readonly string[]> => {
  const found = await Promise.all(lines.map(async (line) => ({ ...line, wrong: await complain(line.words) })));
  return found.flatMap(({ wrong, line, in: path }) => (wrong === undefined ? [] : [`${path}: ${line}: ${wrong}`]));
};

describe('vdoctl commands', () => {
  it('in blocks of pages can be run as they stand', async () => {
    const lines = inPages('vdoctl', { block: true });
    expect(lines.length).toBeGreaterThan(100);
    expect(await wrongOf(lines, wholeComplaint)).toEqual([]);
  });

  it('in sentences of pages exist', async () => {
    const lines = inPages('vdoctl', { block: false });
    expect(lines.length).toBeGreaterThan(30);
    expect(await wrongOf(lines, namedComplaint)).toEqual([]);
  });

  it('in examples of the help can be run as they stand', async () => {
    const lines = allCommands.flatMap(({ path, examples }) =>
      examples.flatMap(({ command }) =>
        commandLines(command, 'vdoctl', 'script').map((line) => ({ ...line, in: path.join(' ') })),
      ),
    );
    expect(lines.length).toBeGreaterThan(40);
    expect(await wrongOf(lines, wholeComplaint)).toEqual([]);
  });

  it('in remedies and other texts of programs exist', async () => {
    const lines = inPrograms('vdoctl').filter(({ words }) => !prose.has(words[0] ?? ''));
    expect(lines.length).toBeGreaterThan(80);
    expect(await wrongOf(lines, namedComplaint)).toEqual([]);
  });

  it.each([
    ['a command that is none', ['instal']],
    ['a command of a group that is none', ['matrix', 'fetch']],
    ['an option that is none', ['status', '--wach']],
    ['a value that cannot be', ['status', '-o', 'xml']],
  ])('are complained about for %s', async (_why, words) => {
    expect(await namedComplaint(words)).toBeDefined();
    expect(await wholeComplaint(words)).toBeDefined();
  });
});

describe('kubectl commands', () => {
  const named = (words: readonly string[]) => kubectlComplaint(words, { named: true });

  it('in blocks of pages are well-formed', async () => {
    const lines = inPages('kubectl', { block: true });
    expect(lines.length).toBeGreaterThan(30);
    expect(await wrongOf(lines, (words) => kubectlComplaint(words))).toEqual([]);
  });

  it('in sentences of pages are well-formed', async () => {
    const lines = inPages('kubectl', { block: false });
    expect(lines.length).toBeGreaterThan(20);
    expect(await wrongOf(lines, named)).toEqual([]);
  });

  it('in remedies and other texts of programs are well-formed', async () => {
    const lines = inPrograms('kubectl');
    expect(lines.length).toBeGreaterThan(40);
    expect(await wrongOf(lines, named)).toEqual([]);
  });

  it.each([
    'delet node n1',
    'delete nod n1',
    'delete node',
    'drain n1 --ignore-daemonset',
    'apply drivers.yaml',
    'patch vspheredrivers cluster --type merge -p {"spec":}',
    'get pods -o',
  ])('are complained about: %s', (line) => {
    expect(kubectlComplaint(line.split(' '))).toBeDefined();
  });
});

it('npm scripts in pages exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const asked = code.flatMap(({ path, text }) =>
    [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => ({ path, name })),
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({ name }) => !(name in scripts) && !name.endsWith(':'))).toEqual([]);
});
