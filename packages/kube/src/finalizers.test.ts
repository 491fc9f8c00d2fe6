import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createKubeClient } from './create-client.ts';
import { addFinalizer } from './finalizers.ts';
import { createScriptedTransport, json, refuse, type ScriptedAnswer } from './testing/scripted-transport.ts';
import { type Node, nodes } from './types/core.ts';

const finalizer = 'vdo.vmware.com/uninstall';
const node = (finalizers: readonly string[]): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'n',
    uid: 'u',
    resourceVersion: '5',
    finalizers,
  },
  spec: {},
});
const setUp = (...script: ScriptedAnswer[]) => {
  const scripted = createScriptedTransport(...script);
  return { scripted, client: createKubeClient({ transport: scripted.transport, clock: createVirtualClock() }) };
};

describe('finalizers', () => {
  test('are added to the existing ones, on the version that was read', async () => {
    const { client, scripted } = setUp(json(node(['other', finalizer])));
    await addFinalizer(client, nodes, node(['other']), { finalizer });
    expect(scripted.body(0)).toEqual({
      metadata: { finalizers: ['other', finalizer], resourceVersion: '5', uid: 'u' },
    });
  });

  test('cause no request if there is nothing to do', async () => {
    const { client } = setUp();
    expect(await addFinalizer(client, nodes, node([finalizer]), { finalizer })).toEqual(node([finalizer]));
  });

  test('an object that changed meanwhile is a conflict', async () => {
    const { client } = setUp(refuse(409, 'Conflict', 'the object has been modified'));
    const adding = addFinalizer(client, nodes, node([]), { finalizer });
    await expect(adding).rejects.toMatchObject({ code: 'KubeConflict' });
  });
});
