import { readYaml } from '@vdo/base/yaml';
import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import type { ProblemList } from '../problems.ts';
import { emptyMap, type RawEntry, type RawValue } from './raw-value.ts';

// Aliases of aliases can make a small file grow enormously.
const maxNodes = 50_000;
/** No configuration comes near it, and each byte of invalid text costs the library some microseconds. */
const maxBytes = 128 * 1024;
/** A user who corrects the first ones sees the next. */
const reportedErrors = 10;
/** The format needs five. */
const maxDepth = 32;
const tooDeep = { field: 'YAML', remedy: 'Remove the nesting: no setting is more than five levels deep.' } as const;

const mergedEntries = (value: RawValue): readonly RawEntry[] => {
  const maps = value.kind === 'list' ? value.items : [value];
  return maps.flatMap((map) => (map.kind === 'map' ? map.entries : []));
};

/** Reads YAML into the neutral tree. Texts stay as written: a password 0123 or yes is not a number or a boolean. */
export const readRawYaml = (text: string, problems: ProblemList): RawValue => {
  if (Buffer.byteLength(text) > maxBytes) {
    const remedy = 'Remove what does not belong here.';
    problems.error({ field: 'YAML', remedy, line: 1, message: `is longer than ${maxBytes} bytes` });
    return emptyMap;
  }
  const { documents, problems: mistakes, lineAt } = readYaml(text, { uniqueKeys: false });
  for (const { line, message } of mistakes.slice(0, reportedErrors))
    problems.error({ line, field: 'YAML', message, remedy: 'Correct the syntax; check indentation and quotes.' });
  const [document, next] = documents;
  if (next)
    problems.error({
      line: lineAt(next.range[0]),
      field: 'YAML',
      message: 'starts a second document',
      remedy: 'Remove everything from the line --- onwards.',
    });
  if (!document || next) return emptyMap;

  const lineOf = (node: Node | null | undefined, fallback: number): number =>
    node?.range ? lineAt(node.range[0]) : fallback;

  let budget = maxNodes;
  let isListed = false;
  const convertScalar = (node: Scalar, line: number): RawValue => {
    const plain = node.type === 'PLAIN';
    if (node.value === null && plain) return { kind: 'empty', line };
    return { kind: 'scalar', text: plain && node.source !== undefined ? node.source : String(node.value ?? ''), line };
  };
  const convertMap = (node: YAMLMap, line: number, depth: number): RawValue => {
    const all = node.items.map(({ key, value }): RawEntry => {
      const keyLine = lineOf(key as Node | null, line);
      const spelled = isScalar(key) ? String(key.value) : '';
      return { key: spelled, spelled, line: keyLine, value: convert(value, keyLine, depth + 1) };
    });
    const own = all.filter(({ key }) => key !== '<<');
    const merged = all.filter(({ key }) => key === '<<').flatMap(({ value }) => mergedEntries(value));
    const inherited = merged.filter(({ key }) => own.every((entry) => entry.key !== key));
    return { kind: 'map', line, entries: [...inherited, ...own] };
  };
  const convert = (node: unknown, fallback: number, depth: number): RawValue => {
    budget -= 1;
    if (budget === 0) {
      problems.error({
        line: fallback,
        field: 'YAML',
        message: `expands to more than ${maxNodes} values through aliases`,
        remedy: 'Write the values without aliases.',
      });
    }
    if (depth > maxDepth && !isListed) {
      isListed = true;
      problems.error({ ...tooDeep, line: fallback, message: `is nested deeper than ${maxDepth} levels` });
    }
    if (budget <= 0 || depth > maxDepth) return { kind: 'empty', line: fallback };
    if (isAlias(node)) return convert(node.resolve(document), fallback, depth + 1);
    const line = lineOf(isNode(node) ? node : undefined, fallback);
    if (isScalar(node)) return convertScalar(node, line);
    if (isMap(node)) return convertMap(node, line, depth);
    if (isSeq(node)) return { kind: 'list', line, items: node.items.map((item) => convert(item, line, depth + 1)) };
    return { kind: 'empty', line: fallback };
  };
  return convert(document.contents, 1, 0);
};
