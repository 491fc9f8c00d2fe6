import type { VdoError } from '@vdo/base/vdo-error';

/** An error as people read it in an event: what happened, what helps, and the code to look up. */
export const eventMessage = ({ message, remedy, code }: VdoError): string => `${message}. ${remedy} [${code}]`;
