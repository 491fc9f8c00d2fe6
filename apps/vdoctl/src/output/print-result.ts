import { VdoError } from '@vdo/base/vdo-error';
import { stringify } from 'yaml';
import type { CliContext } from '../cli/context.ts';
import type { OutputFormat } from '../cli/options.ts';
import { customColumns } from './custom-columns.ts';
import { parseJsonPath } from './json-path.ts';

export interface Result {
  /** Printed with `-o json` and `-o yaml`. */
  readonly data: unknown;
  /** Printed as text. */
  readonly lines: (options: { readonly wide: boolean }) => readonly string[];
  /** Printed with `-o name` for a list, such as `node/worker-1`. */
  readonly names?: readonly string[];
}

const noList = (format: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `-o ${format} works only for lists of objects`,
    remedy: 'Use -o json, -o yaml or -o jsonpath=TEMPLATE.',
  });

/** The document in the requested format; undefined for text output. */
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

/** The result in the requested format. */
export const resultText = (format: OutputFormat, result: Result): string =>
  documentText(format, result) ??
  result
    .lines({ wide: format === 'wide' })
    .map((line) => `${line}\n`)
    .join('');

/** Prints the result in the requested format. */
export const printResult = ({ terminal }: Pick<CliContext, 'terminal'>, format: OutputFormat, result: Result): void =>
  terminal.out(resultText(format, result));
