import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, test } from 'vitest';
import { createKubeClient } from '../create-client.ts';
import { createScriptedTransport, json, refuse, type ScriptedAnswer } from '../testing/scripted-transport.ts';
import { waitForReady } from './wait-for-ready.ts';

const resources = json({ resources: [{ name: 'pods', kind: 'Pod', namespaced: true }] });
const pod = (phase: string, ready = 'False') =>
  json({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {},
    status: { phase, conditions: [{ type: 'Ready', status: ready }] },
  });
const missing = refuse(404, 'NotFound', 'pods "p" not found', { name: 'p', kind: 'pods' });
const ref = { apiVersion: 'v1', kind: 'Pod', namespace: 'a', name: 'p' };

const setUp = (...script: ScriptedAnswer[]) => {
  const clock = createVirtualClock();
  const { transport } = createScriptedTransport(resources, ...script);
  return { clock, client: createKubeClient({ transport, clock }) };
};

test('waits until everything exists and is ready, and reports the progress', async () => {
  const { clock, client } = setUp(missing, pod('Pending'), pod('Running', 'True'));
  const progress: string[] = [];
  const waiting = waitForReady(client, [ref], {
    clock,
    timeoutMs: 60_000,
    onProgress: ([first]) => progress.push(first?.state ?? ''),
  });
  await clock.advance(5_000);
  await waiting;
  expect(progress).toEqual(['NotFound', 'InProgress']);
});

test('gives up with what it waits for, and at once if it cannot become ready', async () => {
  const slow = setUp(pod('Pending'), pod('Pending'));
  const timedOut = expect(
    waitForReady(slow.client, [ref], { clock: slow.clock, timeoutMs: 1_000 }),
  ).rejects.toMatchObject({
    code: 'WorkloadsNotReady',
    message: 'not ready: Pod a/p: is Pending and not ready',
    remedy: 'Check its events: kubectl describe pod p --namespace a',
  });
  await slow.clock.advance(2_000);
  await timedOut;
  const broken = setUp(pod('Failed'));
  const failed = waitForReady(broken.client, [ref], { clock: broken.clock, timeoutMs: 60_000 });
  await expect(failed).rejects.toMatchObject({ code: 'WorkloadsNotReady' });
});
