import { redactText } from '@vdo/base/redact';
import type { VdoError } from '@vdo/base/vdo-error';
import type { Terminal } from './context.ts';
import { wrap } from './wrap.ts';

/** The documentation of an error code. */
export const docsOf = (code: string): string => `docs/reference/errors.md#${code.toLowerCase()}`;

/** Prints the message, the remedy and the code. The stack trace is printed only with VDO_DEBUG=1. */
export const printError = (terminal: Terminal, error: VdoError, options: { readonly debug: boolean }): void => {
  const width = Math.min(terminal.columns ?? 100, 110);
  const lines = [
    ...wrap(`Error: ${error.message}`, { width }),
    ...wrap(`Remedy: ${error.remedy}`, { width }),
    `Code: ${error.code} (vdoctl explain ${error.code}, ${docsOf(error.code)})`,
  ];
  if (options.debug && error.stack) lines.push('', error.stack, ...(error.cause ? [`caused by ${error.cause}`] : []));
  terminal.err(redactText(`${lines.join('\n')}\n`));
};
