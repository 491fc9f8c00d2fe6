import { readBody } from '@vdo/base/http';
import { describe, expect, it } from 'vitest';
import type { Inventory } from './inventory.ts';
import { createInventoryEndpoint, inventoryPath } from './inventory-endpoint.ts';

const ask = async (current: () => Inventory | undefined) => {
  const { status, body } = await createInventoryEndpoint(current)({ method: 'GET', path: inventoryPath, headers: {} });
  return { status, text: (await readBody(body)).toString() };
};

describe('the inventory of the leader', () => {
  it('is what it knows', async () => {
    expect(await ask(() => ({ vcenters: [] }))).toEqual({ status: 200, text: '{"vcenters":[]}' });
  });
  it('is not there on a replica that does not lead', async () => {
    expect((await ask(() => undefined)).status).toBe(404);
  });
});
