import { stringify } from 'yaml';
import type { CliContext } from '../cli/context.ts';
import type { OutputFormat } from '../cli/options.ts';

export interface Result {
  /** What `-o json` and `-o yaml` print. */
  readonly data: unknown;
  /** What people read. */
  readonly lines: (options: { readonly wide: boolean }) => readonly string[];
}

/** Prints a result in the format that was asked for. */
export const printResult = ({ terminal }: Pick<CliContext, 'terminal'>, format: OutputFormat, result: Result): void => {
  if (format === 'json') terminal.out(`${JSON.stringify(result.data, undefined, 2)}\n`);
  else if (format === 'yaml') terminal.out(stringify(result.data, { lineWidth: 0 }));
  else for (const line of result.lines({ wide: format === 'wide' })) terminal.out(`${line}\n`);
};
