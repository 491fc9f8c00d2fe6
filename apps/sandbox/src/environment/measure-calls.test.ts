import { sleep } from '@vdo/base/clock';
import { httpResponse } from '@vdo/base/http';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { createCallSampler } from '@vdo/dashboard/source/call-sampler';
import { describe, expect, it } from 'vitest';
import { measureCalls } from './measure-calls.ts';

describe('the calls to a simulated vCenter', () => {
  it('are counted with the time they take, but for the poll that waits for changes', async () => {
    const clock = createVirtualClock();
    const measured = measureCalls(async () => {
      await sleep(clock, 20);
      return httpResponse(200);
    }, clock);
    const sampler = createCallSampler(measured.meter, clock);
    const { signal } = new AbortController();
    const ask = (body: string) => measured.handler({ method: 'POST', path: '/sdk', headers: {}, body });
    await sampler.observe(signal);
    const asked = Promise.all([ask('<CurrentTime/>'), ask('<Login/>'), ask('<WaitForUpdatesEx xmlns="urn:vim25"/>')]);
    await clock.advance(100);
    await asked;
    await sampler.observe(signal);
    expect(sampler.history().samples).toMatchObject([{ calls: 2, latencyMs: 20 }]);
  });
});
