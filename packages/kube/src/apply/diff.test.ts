import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createKubeClient } from '../create-client.ts';
import { createScriptedTransport, json } from '../testing/scripted-transport.ts';
import { diffObjects, fieldDiffs } from './diff.ts';

describe('fieldDiffs', () => {
  test.each([
    ['nothing', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    ['a leaf', { a: { b: 1 } }, { a: { b: 2 } }, [{ path: '.a.b', from: 1, to: 2 }]],
    ['an added field', {}, { a: 1 }, [{ path: '.a', from: undefined, to: 1 }]],
    ['a longer list', { a: [1] }, { a: [1, 2] }, [{ path: '.a[1]', from: undefined, to: 2 }]],
    ['a name that needs quotes', { 'a/b': 1 }, { 'a/b': 2 }, [{ path: '["a/b"]', from: 1, to: 2 }]],
    ['another type', { a: [] }, { a: {} }, [{ path: '.a', from: [], to: {} }]],
  ])('%s', (_, from, to, expected) => {
    expect(fieldDiffs(from, to)).toEqual(expected);
  });
});

test('the values of a Secret are not shown', async () => {
  const secret = (password: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'a', resourceVersion: password },
    data: { password },
  });
  const resources = json({ resources: [{ name: 'secrets', kind: 'Secret', namespaced: true }] });
  const { transport } = createScriptedTransport(resources, json(secret('b2xk')), json(secret('bmV3')));
  const client = createKubeClient({ transport, clock: createVirtualClock() });
  const [diff] = await diffObjects(client, [secret('bmV3')], { fieldManager: 'vdo', force: true });
  expect(diff).toMatchObject({
    action: 'change',
    fields: [{ path: '.data.password', from: '(hidden)', to: '(hidden)' }],
  });
  expect(JSON.stringify(diff)).not.toContain('bmV3');
});
