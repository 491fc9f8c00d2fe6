import { type HttpTransport, httpResponse } from '@vdo/base/http';
import { isVdoError } from '@vdo/base/vdo-error';
import type { SimControl } from './control.ts';
import type { VSphereSim } from './create-vsphere-sim.ts';

const prefix = '/simulator/control/';

// JSON has no 64-bit integers, so sizes are sent as text.
const plain = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const json = (status: number, value: unknown) =>
  httpResponse(status, JSON.stringify(value, plain), { 'content-type': 'application/json' });

const argumentsIn = (body: string | Uint8Array | undefined): readonly unknown[] => {
  const text = Buffer.from(body ?? '').toString('utf8');
  const value: unknown = text.trim() === '' ? [] : JSON.parse(text);
  if (!Array.isArray(value)) throw new SyntaxError('the body is not a JSON array');
  return value;
};

/**
 * The vCenter and its control on one endpoint, for processes that cannot reach the control otherwise: `POST /simulator/control/powerOff`
 * with the arguments as a JSON array. Anyone who can reach it may do everything: only for tests.
 */
export const withControlEndpoint =
  ({ handler, control }: Pick<VSphereSim, 'handler' | 'control'>): HttpTransport =>
  async (request) => {
    if (!request.path.startsWith(prefix)) return handler(request);
    const name = request.path.slice(prefix.length);
    if (request.method !== 'POST' || !Object.hasOwn(control, name)) return json(404, { message: `no control ${name}` });
    try {
      const run = control[name as keyof SimControl] as (...args: readonly unknown[]) => unknown;
      const value = run(...argumentsIn(request.body));
      return json(200, typeof value === 'function' || value === undefined ? null : value);
    } catch (error) {
      if (isVdoError(error) || error instanceof SyntaxError) return json(400, { message: error.message });
      throw error;
    }
  };
