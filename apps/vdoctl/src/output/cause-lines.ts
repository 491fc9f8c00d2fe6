import type { Cause, Finding } from '@vdo/config/api/causes';
import { wrap } from '../cli/wrap.ts';
import { remedyLines } from './remedy-lines.ts';
import type { Colour, Paint } from './style.ts';

/** A finding of a check, as used by status and doctor. */
interface Shown extends Finding {
  readonly commands?: readonly string[] | undefined;
  readonly object?:
    | { readonly kind: string; readonly name: string; readonly namespace?: string | undefined }
    | undefined;
}

export interface CauseView {
  readonly paint: Paint;
  readonly width: number;
  /** How to list the checks that could not run, such as `-o wide`. */
  readonly more: string;
}

const colours: Readonly<Record<string, Colour>> = { Fail: 'red', Warn: 'yellow', Unknown: 'yellow', Pass: 'green' };
const indent = '        ';
/** Maximum numbers of objects and commands printed per cause. */
const shownObjects = 5;
const shownCommands = 10;

const nameOf = ({ object }: Shown): string =>
  object ? `${object.kind} ${object.namespace ? `${object.namespace}/` : ''}${object.name}` : '';

const counted = (findings: readonly Shown[]): string => {
  const names = [...new Set(findings.map(nameOf))].filter((name) => name !== '');
  if (names.length <= 1) return names[0] ?? '';
  const kinds = new Set(findings.flatMap(({ object }) => (object ? [object.kind] : [])));
  return `${names.length} ${kinds.size === 1 ? `${[...kinds][0]}s` : 'objects'}`;
};

/** The findings per object; a message that several checks or objects share is printed once. */
const messages = (findings: readonly Shown[]): readonly string[] => {
  const [first] = findings;
  if (!first) return [];
  const named = new Map<string, Set<string>>();
  for (const one of findings) named.set(one.message, (named.get(one.message) ?? new Set()).add(nameOf(one)));
  const [names] = named.values();
  if (named.size === 1 && names?.size === 1) return [first.message];
  const reported = [...named].map(([message, of]) => {
    const some = [...of].slice(0, shownObjects).join(', ');
    return `${some}${of.size > shownObjects ? ` and ${of.size - shownObjects} more` : ''}: ${message}`;
  });
  return reported.length > shownObjects
    ? [...reported.slice(0, shownObjects), `and ${reported.length - shownObjects} more`]
    : reported;
};

/** The check; of several, the first and how many more. */
const checksOf = (findings: readonly Shown[]): string => {
  const [first = '', ...others] = new Set(findings.map(({ id }) => id));
  if (others.length === 0) return first;
  return `${first} and ${others.length === 1 ? '1 more check' : `${others.length} more checks`}`;
};

/** One cause as text: check, findings, remedy, and consequences. */
export const causeLines = (
  { findings, hidden }: Cause<Shown>,
  { paint, width, more }: CauseView,
): readonly string[] => {
  const [worst] = findings;
  const { result, reason } = worst;
  const commands = [...new Set(findings.flatMap((one) => one.commands ?? []))];
  const isOne = new Set(findings.map(nameOf)).size <= 1;
  const remedy =
    isOne || worst.remedy === ''
      ? worst.remedy
      : `(for ${worst.object?.name}; the same applies to the others) ${worst.remedy}`;
  return [
    `${paint(colours[result] ?? 'yellow', result.padEnd(7))} ${[checksOf(findings), counted(findings)].filter(Boolean).join('  ')}`,
    ...messages(findings).flatMap((message) => wrap(message, { width, indent })),
    ...remedyLines({ remedy, commands: commands.slice(0, shownCommands) }, { width, indent }),
    ...(hidden > 0
      ? [
          `${indent}${hidden === 1 ? '1 check' : `${hidden} checks`} could not run because of this; to list ${hidden === 1 ? 'it' : 'them'}, use ${more}.`,
        ]
      : []),
    ...(result === 'Fail' || result === 'Warn' ? [paint('dim', `${indent}Details: vdoctl explain ${reason}`)] : []),
  ];
};
