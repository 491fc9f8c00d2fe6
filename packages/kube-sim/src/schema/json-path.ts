import { isObject, listOf } from '../json.ts';

type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'where'; readonly path: readonly Step[]; readonly equals: string };

const stepPattern =
  /\.?\[\?\(@(?<filter>[^=!]+?)\s*==\s*["'](?<equals>[^"']*)["']\)\]|\.?\['(?<quoted>[^']*)'\]|\.?\[(?<index>-?\d+)\]|\.?\[(?<all>\*)\]|\.(?<name>(?:\\.|[^.[\]\\])+)/gy;

const stepOf = (groups: Readonly<Record<string, string | undefined>>): Step => {
  if (groups['filter'] !== undefined)
    return { kind: 'where', path: parse(groups['filter']), equals: groups['equals'] ?? '' };
  if (groups['index'] !== undefined) return { kind: 'index', index: Number(groups['index']) };
  if (groups['all'] !== undefined || groups['name'] === '*') return { kind: 'all' };
  return { kind: 'field', name: groups['quoted'] ?? (groups['name'] ?? '').replaceAll(/\\(.)/g, '$1') };
};

const parse = (path: string): readonly Step[] =>
  [...path.trim().matchAll(stepPattern)].map((match) => stepOf(match.groups ?? {}));

const walk = (value: unknown, step: Step): readonly unknown[] => {
  switch (step.kind) {
    case 'field':
      return isObject(value) && value[step.name] !== undefined ? [value[step.name]] : [];
    case 'index': {
      const item = listOf(value).at(step.index);
      return item === undefined ? [] : [item];
    }
    case 'all':
      return isObject(value) ? Object.values(value) : listOf(value);
    case 'where':
      return listOf(value).filter((item) => String(follow(item, step.path)[0] ?? '') === step.equals);
  }
};

const follow = (value: unknown, steps: readonly Step[]): readonly unknown[] =>
  steps.reduce<readonly unknown[]>((values, step) => values.flatMap((item) => walk(item, step)), [value]);

/** Evaluates the JSONPath subset that printer columns use: fields, indexes, `[*]` and `[?(@.a=="b")]`. */
export const readJsonPath = (value: unknown, path: string): readonly unknown[] => follow(value, parse(path));
