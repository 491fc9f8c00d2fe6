import { VdoError } from '@vdo/base/vdo-error';
import { stringify } from 'yaml';
import type { CliContext } from '../cli/context.ts';
import type { OutputFormat } from '../cli/options.ts';
import { customColumns } from './custom-columns.ts';
import { parseJsonPath } from './json-path.ts';

export interface Result {
  /** What `-o json` and `-o yaml` print. */
  readonly data: unknown;
  /** What people read. */
  readonly lines: (options: { readonly wide: boolean }) => readonly string[];
  /** What `-o name` prints of a list, such as `node/worker-1`. */
  readonly names?: readonly string[];
}

const noList = (format: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `-o ${format} prints lists of objects, and this result is none`,
    remedy: 'Use -o json, -o yaml or -o jsonpath=TEMPLATE.',
  });

/** A document in the format that was asked for; undefined if people are to read it. */
const documentText = (format: OutputFormat, { data, names }: Result): string | undefined => {
  if (format === 'json') return `${JSON.stringify(data, undefined, 2)}\n`;
  if (format === 'yaml') return stringify(data, { lineWidth: 0 });
  if (format === 'name') {
    if (names === undefined) throw noList(format);
    return names.map((name) => `${name}\n`).join('');
  }
  const [head, ...rest] = format.split('=');
  if (head === 'custom-columns') {
    if (!Array.isArray(data)) throw noList(head);
    return customColumns(rest.join('='), data);
  }
  if (head !== 'jsonpath') return undefined;
  const text = parseJsonPath(rest.join('='))(data);
  return text.endsWith('\n') ? text : `${text}\n`;
};

/** A result in the format that was asked for. */
export const resultText = (format: OutputFormat, result: Result): string =>
  documentText(format, result) ??
  result
    .lines({ wide: format === 'wide' })
    .map((line) => `${line}\n`)
    .join('');

/** Prints a result in the format that was asked for. */
export const printResult = ({ terminal }: Pick<CliContext, 'terminal'>, format: OutputFormat, result: Result): void =>
  terminal.out(resultText(format, result));
