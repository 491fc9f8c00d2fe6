import { type HttpResponse, type HttpTransport, httpResponse } from '@vdo/base/http';
import { toVdoError } from '@vdo/base/vdo-error';
import type { FaultBoard } from './fault-board.ts';

/** The token for access; it is in the record of the sandbox, which only its owner can read. */
export const faultHeader = (token: string): { readonly authorization: string } => ({
  authorization: `Bearer ${token}`,
});

const json = (status: number, value: unknown): HttpResponse =>
  httpResponse(status, JSON.stringify(value), { 'content-type': 'application/json' });

/** `GET /faults`, `POST /faults/NAME`, `DELETE /faults[/NAME]`: the API for vdoctl sandbox break and heal. */
export const createFaultEndpoint =
  (board: FaultBoard, token: string): HttpTransport =>
  async ({ method, path, headers }) => {
    if (headers['authorization'] !== faultHeader(token).authorization) return json(401, { message: 'only for vdoctl' });
    const [, root, name] = path.split('/');
    if (root !== 'faults') return json(404, { message: 'not found' });
    try {
      if (method === 'GET') return json(200, board.active());
      if (method === 'POST' && name) return json(200, await board.break(name));
      if (method === 'DELETE') return json(200, await board.heal(name));
      return json(405, { message: 'not allowed' });
    } catch (error) {
      const { code, message, remedy } = toVdoError(error);
      return json(400, { code, message, remedy });
    }
  };
