import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createKubeClient } from './create-client.ts';
import { createEventRecorder } from './events.ts';
import { createScriptedTransport, json, refuse, type ScriptedAnswer } from './testing/scripted-transport.ts';

const echo: ScriptedAnswer = ({ body }) => json(JSON.parse(String(body)))({ method: '', path: '', headers: {} });
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', uid: 'u1', resourceVersion: '3' } };
const content = { type: 'Warning', reason: 'NodeVmNotFound', message: 'no VM has this UUID' } as const;

const setUp = (...script: ScriptedAnswer[]) => {
  const clock = createVirtualClock();
  const scripted = createScriptedTransport(...script);
  const recorder = createEventRecorder({
    client: createKubeClient({ transport: scripted.transport, clock, qps: 0 }),
    component: 'vdo-cpi',
    instance: 'cpi-0',
    clock,
    random: createSeededRandom(1),
    logger: silentLogger,
  });
  return { clock, recorder, scripted, methods: () => scripted.requests.map(({ method }) => method) };
};

describe('events', () => {
  test('contain the object, the program and the time, in namespace default for cluster-scoped objects', async () => {
    const { recorder, scripted } = setUp(echo);
    recorder.record(node, content);
    await recorder.flush();
    expect(scripted.requests[0]?.path).toBe('/api/v1/namespaces/default/events');
    expect(scripted.body(0)).toMatchObject({
      metadata: { name: expect.stringMatching(/^n1\.[0-9a-f]{16}$/), namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u1' },
      ...content,
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      source: { component: 'vdo-cpi' },
      reportingComponent: 'vdo-cpi',
      reportingInstance: 'cpi-0',
    });
  });

  test('a repetition increases the count, another message is another event', async () => {
    const event = json({ metadata: { name: 'n1.x', namespace: 'default' } });
    const { clock, recorder, scripted, methods } = setUp(event, event, event, event);
    recorder.record(node, content);
    recorder.record(node, content);
    await clock.advance(5_000);
    recorder.record(node, content);
    recorder.record(node, { ...content, message: 'two VMs have this UUID' });
    await recorder.flush();
    expect(methods()).toEqual(['POST', 'PATCH', 'PATCH', 'POST']);
    expect(scripted.body(2)).toEqual({ count: 3, lastTimestamp: '2026-01-01T00:00:05Z' });
  });

  test('an event that the server has deleted meanwhile is created again', async () => {
    const gone = refuse(404, 'NotFound', 'events "x" not found', { name: 'x', kind: 'events' });
    const { recorder, methods } = setUp(echo, gone, echo);
    recorder.record(node, content);
    recorder.record(node, content);
    await recorder.flush();
    expect(methods()).toEqual(['POST', 'PATCH', 'POST']);
  });

  test('a server that refuses them does no harm', async () => {
    const { recorder, methods } = setUp(refuse(403, 'Forbidden', 'no'), echo);
    recorder.record(node, content);
    recorder.record(node, content);
    await recorder.flush();
    expect(methods()).toEqual(['POST', 'POST']);
  });

  test('a loop cannot flood the server', async () => {
    const { clock, recorder, scripted } = setUp(...Array.from({ length: 27 }, () => echo));
    for (let i = 0; i < 100; i++) recorder.record(node, { ...content, message: `attempt ${i}` });
    await recorder.flush();
    expect(scripted.requests).toHaveLength(25);
    await clock.advance(600_000);
    for (let i = 0; i < 100; i++) recorder.record(node, { ...content, message: `later ${i}` });
    await recorder.flush();
    expect(scripted.requests).toHaveLength(27);
  });

  test('normal events do not suppress a warning', async () => {
    const { recorder, scripted } = setUp(...Array.from({ length: 26 }, () => echo));
    for (let i = 0; i < 100; i++) recorder.record(node, { type: 'Normal', reason: 'Fine', message: `step ${i}` });
    recorder.record(node, { type: 'Warning', reason: 'Broken', message: 'it broke' });
    await recorder.flush();
    expect(scripted.requests).toHaveLength(26);
    expect(scripted.body(25)).toMatchObject({ type: 'Warning', reason: 'Broken' });
  });

  test('a long message is cut where the server would refuse it', async () => {
    const { recorder, scripted } = setUp(echo);
    recorder.record({ kind: 'Pod', name: 'p', namespace: 'a' }, { ...content, message: 'x'.repeat(3000) });
    await recorder.flush();
    expect(scripted.body(0)).toMatchObject({ message: `${'x'.repeat(1023)}…`, metadata: { namespace: 'a' } });
  });
});
