import { describe, expect, test } from 'vitest';
import { node, waitingNode } from '../testing/node.ts';
import { identifyNode } from './node-identity.ts';

const uuid = '423740e7-c66e-05e3-9d0b-9e1205b24d43';
const swapped = 'e7403742-6ec6-e305-9d0b-9e1205b24d43';
const other = '56492e42-22ad-3911-6d72-59cc8f26bc90';

describe('identifyNode', () => {
  test('asks for a waiting node by system UUID, names and addresses', () => {
    const waiting = waitingNode({
      systemUUID: uuid,
      addresses: ['InternalIP 10.0.0.1', 'Hostname node-1.example.com'],
    });
    expect(identifyNode(waiting)).toEqual({
      kind: 'managed',
      query: { key: 'node-1', uuid, names: ['node-1', 'node-1.example.com'], ips: ['10.0.0.1'] },
    });
  });

  test('asks by name when the node has nothing else', () => {
    expect(identifyNode(waitingNode())).toEqual({ kind: 'managed', query: { key: 'node-1', names: ['node-1'] } });
  });

  test.each([
    ['waiting', waitingNode({ providerID: `vsphere://${uuid}`, systemUUID: swapped })],
    ['initialized', node({ providerID: `vsphere://${uuid}`, systemUUID: uuid.toUpperCase() })],
  ])('binds a %s node with a providerID to that UUID alone', (_name, given) => {
    expect(identifyNode(given)).toEqual({ kind: 'managed', query: { key: 'node-1', uuid } });
  });

  test('leaves a node alone that neither waits nor has a providerID', () => {
    expect(identifyNode(node({ systemUUID: uuid }))).toEqual({ kind: 'unmanaged' });
  });

  test('refuses a waiting node of another provider and says how to free it', () => {
    const identity = identifyNode(waitingNode({ providerID: 'k3s://node-1' }));
    expect(identity).toMatchObject({
      kind: 'foreign',
      error: {
        code: 'NodeForeignProviderId',
        message: expect.stringContaining('"k3s://node-1"'),
        remedy: expect.stringContaining('kubectl delete node node-1'),
      },
    });
  });

  test('is silent about an initialized node of another provider', () => {
    expect(identifyNode(node({ providerID: 'kwok://node-1' }))).toEqual({ kind: 'foreign', error: undefined });
  });

  test('sees that a VM was re-created under the name of its node', () => {
    expect(identifyNode(node({ providerID: `vsphere://${uuid}`, systemUUID: other }))).toMatchObject({
      kind: 'replaced',
      error: { code: 'NodeVmReplaced', remedy: expect.stringContaining('kubectl delete node node-1') },
    });
  });
});
