import { createLogger } from '@vdo/base/logger';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimTestbed } from './testing/sim-testbed.ts';
import type { FinishedSpan } from './volumes/trace-operations.ts';

const lines: Readonly<Record<string, unknown>>[] = [];
const spans: FinishedSpan[] = [];
const logger = createLogger({ name: 'test', level: 'debug', write: (line) => void lines.push(JSON.parse(line)) });

describe('the trace of a claim', () => {
  let testbed: ReturnType<typeof createSimTestbed>;
  const open = async () => {
    lines.length = 0;
    spans.length = 0;
    testbed = createSimTestbed({ logger, onSpan: (span) => spans.push(span) });
    await testbed.setUp();
    testbed.start();
    await testbed.registerNode(1);
    return testbed;
  };
  afterEach(() => testbed.stop());

  const bound = async (name: string) => {
    await testbed.claim(name);
    const claim = await testbed.bound(name);
    return { uid: claim.metadata.uid ?? '', volume: claim.spec.volumeName ?? '' };
  };
  const isAttached = (name: string) =>
    testbed.until(
      `${name} is attached`,
      async () => (await testbed.getAttachment(name))?.status?.attached || undefined,
    );
  const idsOf = (method: string) =>
    testbed.sim.recorder
      .calls()
      .filter((call) => call.method === method)
      .map(({ operationId }) => operationId);

  it('is its uid, in the log, in spans, and in what vCenter is asked to change', async () => {
    await open();
    const { uid, volume } = await bound('data');
    await testbed.attachment('a', volume, 1);
    await isAttached('a');
    await testbed.client.delete(volumeAttachments, { name: 'a' });
    await testbed.until('it is detached', async () => (await testbed.getAttachment('a')) === undefined);
    await testbed.deleteClaim('data');
    await testbed.until('it is gone', () => testbed.sim.volumes.list().length === 0 || undefined);
    const methods = ['CnsCreateVolume', 'CnsAttachVolume', 'CnsDetachVolume', 'CnsDeleteVolume'];
    for (const method of methods) expect([method, idsOf(method)]).toEqual([method, [`vdo-${uid}`]]);
    const done = lines.filter(({ msg, trace }) => msg === 'CSI operation done' && trace === uid);
    const operations = ['CreateVolume', 'ControllerPublishVolume', 'ControllerUnpublishVolume', 'DeleteVolume'];
    expect(done.map(({ method, level }) => [method, level])).toEqual(operations.map((method) => [method, 'info']));
    expect(spans).toMatchObject(operations.map((name) => ({ traceId: uid, name, failure: undefined })));
    for (const { startMs, endMs } of spans) expect(endMs).toBeGreaterThanOrEqual(startMs);
  });

  it('tells of a failure, once, with its code', async () => {
    await open();
    const fault = { $type: 'CnsFault', reason: 'no' };
    testbed.sim.control.addFault({ method: 'CnsCreateVolume', times: 1, effect: { kind: 'fault', fault } });
    const { uid } = await bound('data');
    expect(spans.filter(({ failure }) => failure !== undefined)).toMatchObject([
      { traceId: uid, name: 'CreateVolume', failure: expect.stringMatching(/^[A-Z]/) },
    ]);
    const failed = lines.filter(({ msg }) => msg === 'CSI operation failed');
    expect(failed).toEqual([]);
    const attempts = lines.filter(({ msg, controller }) => msg === 'reconcile failed' && controller === 'provision');
    expect(attempts.map(({ trace }) => trace)).toEqual([uid]);
  });

  it('of a call that serves two names the first, and both know it', async () => {
    await open();
    const claims = [await bound('data'), await bound('more')];
    for (const [index, { volume }] of claims.entries()) await testbed.attachment(`a${index}`, volume, 1);
    await isAttached('a0');
    await isAttached('a1');
    const [first = '', ...others] = idsOf('CnsAttachVolume').map(String);
    expect(others).toEqual([]);
    expect(first).toMatch(/^vdo-[0-9a-f-]{36}\+1$/);
    const attached = spans.filter(({ name }) => name === 'ControllerPublishVolume');
    expect(attached.map(({ traceId }) => traceId).sort()).toEqual(claims.map(({ uid }) => uid).sort());
    for (const { attributes } of attached) expect(attributes['vcenter.operation_ids']).toBe(first);
  });
});
