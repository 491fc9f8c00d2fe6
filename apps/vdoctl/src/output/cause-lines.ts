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
  if (findings.every(({ message }) => message === first.message)) {
    const names = [...new Set(findings.map(nameOf))];
    const some = names.slice(0, shownObjects).join(', ');
    const rest = names.length > shownObjects ? ` and ${names.length - shownObjects} more` : '';
    return names.length > 1 ? [`${some}${rest}: ${first.message}`] : [first.message];
  }
  const reported = findings.slice(0, shownObjects).map((one) => `${nameOf(one)}: ${one.message}`);
  return findings.length > shownObjects ? [...reported, `and ${findings.length - shownObjects} more`] : reported;
};

/** One cause as text: check, findings, remedy, and consequences. */
export const causeLines = (
  { findings, hidden }: Cause<Shown>,
  { paint, width, more }: CauseView,
): readonly string[] => {
  const [worst] = findings;
  const { id, result, reason } = worst;
  const commands = [...new Set(findings.flatMap((one) => one.commands ?? []))];
  const isOne = new Set(findings.map(nameOf)).size <= 1;
  const remedy =
    isOne || worst.remedy === ''
      ? worst.remedy
      : `(for ${worst.object?.name}; the same applies to the others) ${worst.remedy}`;
  return [
    `${paint(colours[result] ?? 'yellow', result.padEnd(7))} ${[id, counted(findings)].filter(Boolean).join('  ')}`,
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
