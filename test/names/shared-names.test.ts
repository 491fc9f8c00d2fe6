import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as tables from '@vdo/config/names';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const table = 'packages/config/src/names.ts';

/** Where a shared name may be written out, and why. */
const allowed: readonly { readonly place: string; readonly name?: string; readonly why: string }[] = [
  { place: 'packages/kube-sim/', why: 'a simulator may not import config, and is an independent eye on names' },
  {
    place: 'apps/cpi/src/cli/flag-values.ts',
    name: 'cloud-node-controller',
    why: "a value of --controllers, which is Kubernetes' word for the controller",
  },
  { place: '', name: 'default', why: 'a common word, which is not only the namespace of the API server' },
  { place: '', name: 'kubernetes', why: 'a common word, which is not only the Service of the API server' },
];

const isAllowed = (file: string, text: string): boolean =>
  allowed.some(({ place, name }) => file.startsWith(place) && (name === undefined || name === text));

/** Name → where it is in the table, such as `leaseNames.syncer`. */
const shared = new Map(
  Object.entries(tables).flatMap(([group, value]) =>
    typeof value === 'string'
      ? [[value, group] as const]
      : Object.entries(value).map(([key, name]) => [name, `${group}.${key}`] as const),
  ),
);

/** Parsing takes its time: only sources with a name between quotes are worth it. */
const mentionsOne = new RegExp(
  `['"\`](${[...shared.keys()].map((name) => name.replaceAll('.', '\\.')).join('|')})['"\`]`,
);

const sources = execFileSync('git', ['ls-files', 'packages/*/src/*.ts', 'apps/*/src/*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && file !== table && !/\.test\.ts$|\/(gen|testing)\//.test(file));

interface Literal {
  readonly text: string;
  readonly line: number;
}

/** The texts of a source. Those in types are left out: the compiler compares them with the values. */
const literalsOf = (source: ts.SourceFile): readonly Literal[] => {
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isStringLiteralLike(node))
      found.push({ text: node.text, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const parse = (file: string, text = readFileSync(file, 'utf8')): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

const writtenOut = (source: ts.SourceFile): readonly string[] =>
  literalsOf(source)
    .filter(({ text }) => shared.has(text) && !isAllowed(source.fileName, text))
    .map(({ text, line }) => `${source.fileName}:${line} writes out ${text}: use ${shared.get(text)}`);

describe('a name that rooms share', () => {
  it('is written in the table alone', () => {
    expect(sources.length).toBeGreaterThan(500);
    const suspects = sources.filter((file) => mentionsOne.test(readFileSync(file, 'utf8')));
    expect(suspects.flatMap((file) => writtenOut(parse(file)))).toEqual([]);
  });

  it('is found where it is written out, but not in a type', () => {
    const text =
      "import 'vdo-operator';\ntype A = 'vdo-operator';\nexport const a = { 'vdo-operator': `vsphere-syncer` };\n";
    expect(writtenOut(parse('apps/cpi/src/planted.ts', text))).toEqual([
      'apps/cpi/src/planted.ts:3 writes out vdo-operator: use eventComponents.operator',
      'apps/cpi/src/planted.ts:3 writes out vsphere-syncer: use leaseNames.syncer',
    ]);
  });

  it.each(allowed)('is still written out in $place', ({ place, name }) => {
    const texts = sources.filter((file) => file.startsWith(place)).flatMap((file) => literalsOf(parse(file)));
    expect(texts.some(({ text }) => (name === undefined ? shared.has(text) : text === name))).toBe(true);
  });
});

describe('every recorder of events', () => {
  it('takes its component from the table, so that vdoctl and the page show what it records', () => {
    const recorders = sources.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [...text.matchAll(/= createEventRecorder\(\{(.*?)\}\)/gs)].map(([, given = '']) => ({ file, given }));
    });
    expect(recorders.length).toBeGreaterThanOrEqual(4);
    expect(recorders.filter(({ given }) => !/component: eventComponents\.\w+/.test(given))).toEqual([]);
  });
});
