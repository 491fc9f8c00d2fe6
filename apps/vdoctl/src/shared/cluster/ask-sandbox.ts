import { type ErrorCode, errorCodes } from '@vdo/base/error-codes';
import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import { VdoError } from '@vdo/base/vdo-error';
import { faultHeader } from '@vdo/sandbox/faults/fault-endpoint';
import type { CliContext } from '../../cli/context.ts';
import type { SandboxRecord } from './sandbox-record.ts';

/** An active fault of the running sandbox, and its effect. */
export interface BrokenThing {
  readonly name: string;
  readonly reported: string;
}

const refusal = (body: string): VdoError => {
  const { code = '', message, remedy } = JSON.parse(body) as { code?: string; message: string; remedy?: string };
  return new VdoError({
    code: code in errorCodes ? (code as ErrorCode) : 'Internal',
    message,
    remedy: remedy ?? 'Restart the sandbox.',
  });
};

/** Sends a request to the running sandbox. */
export const askSandbox = async <T>(
  control: NonNullable<SandboxRecord['control']>,
  request: { readonly method: string; readonly path: string },
  { signal }: Pick<CliContext, 'signal'>,
): Promise<T> => {
  const client = createHttpClient({ origin: control.url });
  try {
    const reply = await client.transport({ ...request, headers: faultHeader(control.token), signal });
    const body = Buffer.from(await readBody(reply.body)).toString('utf8');
    if (reply.status !== 200) throw refusal(body);
    return JSON.parse(body) as T;
  } finally {
    await client.close();
  }
};

/** The active faults of this sandbox; empty if it does not answer. */
export const brokenThings = async (
  sandbox: SandboxRecord | undefined,
  context: Pick<CliContext, 'signal'>,
): Promise<readonly BrokenThing[]> =>
  sandbox?.control === undefined
    ? []
    : askSandbox<readonly BrokenThing[]>(sandbox.control, { method: 'GET', path: '/faults' }, context).catch(() => []);
