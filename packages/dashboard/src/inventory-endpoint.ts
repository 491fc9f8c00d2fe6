import { type HttpTransport, httpResponse } from '@vdo/base/http';
import type { Inventory } from './inventory.ts';

/** On the operator's secure port: readers need the right to `get` it. */
export const inventoryPath = '/inventory';

/** Serves what the leader knows about volumes in vCenter; a replica that does not lead has nothing. */
export const createInventoryEndpoint =
  (current: () => Inventory | undefined): HttpTransport =>
  async () => {
    const inventory = current();
    const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' };
    if (!inventory) return httpResponse(404, 'this replica does not lead\n', headers);
    return httpResponse(200, JSON.stringify(inventory), { ...headers, 'content-type': 'application/json' });
  };
