import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import { createCallSampler } from './call-sampler.ts';

const exposed = (calls: number, seconds: number): string =>
  [
    '# TYPE vdo_vcenter_calls_total counter',
    `vdo_vcenter_calls_total{server="a",method="Login"} 1`,
    `vdo_vcenter_calls_total{server="a",method="Fetch"} ${calls - 1}`,
    `vdo_vcenter_calls_total{server="a",method="WaitForUpdatesEx"} ${calls * 3}`,
    `vdo_vcenter_call_duration_seconds_sum{server="a",method="WaitForUpdatesEx"} ${calls * 60}`,
    `vdo_vcenter_call_duration_seconds_sum{server="a"} ${seconds}`,
    `vdo_vcenter_call_duration_seconds_count{server="a"} ${calls}`,
  ].join('\n');

describe('the plot of calls', () => {
  const { signal } = new AbortController();
  const setUp = (...readings: readonly (string | VdoError | Readonly<Record<string, string>>)[]) => {
    const script = [...readings];
    let nowMs = 0;
    const read = async () => {
      const next = script.shift() ?? '';
      if (next instanceof VdoError) throw next;
      return new Map(Object.entries(typeof next === 'string' ? { one: next } : next));
    };
    const sampler = createCallSampler({ of: 'the operator', everyMs: 5_000, read }, { now: () => (nowMs += 1) });
    const pollOften = async (times: number) => {
      for (let time = 0; time < times; time++) await sampler.observe(signal);
      return sampler.history();
    };
    return pollOften;
  };

  it('shows what happened between two readings, and nothing of the time before', async () => {
    const history = await setUp(exposed(10, 1), exposed(14, 1.1), exposed(14, 1.1))(3);
    expect(history.samples).toEqual([
      { atMs: 1, calls: 4, errors: 0, latencyMs: 25 },
      { atMs: 2, calls: 0, errors: 0, latencyMs: null },
    ]);
  });
  it('tells calls that failed from those that did not', async () => {
    const counted = (ok: number, failed: number): string =>
      `vdo_vcenter_calls_total{method="Fetch",result="ok"} ${ok}\nvdo_vcenter_calls_total{method="Fetch",result="VCenterUnreachable"} ${failed}`;
    expect((await setUp(counted(5, 1), counted(8, 3))(2)).samples[0]).toMatchObject({ calls: 5, errors: 2 });
  });
  it('adds up processes, and takes no past of one that comes later', async () => {
    const [first, second] = [exposed(10, 1), exposed(500, 50)];
    const { samples } = await setUp(
      { first },
      { first: exposed(11, 2), second },
      { first, second: exposed(502, 51) },
    )(3);
    expect(samples.map(({ calls }) => calls)).toEqual([1, 2]);
  });
  it('takes a process that began anew for nothing, rather than for less than nothing', async () => {
    expect((await setUp(exposed(10, 1), exposed(2, 0.1))(2)).samples[0]).toMatchObject({ calls: 0 });
  });
  it('says why there is nothing to read, and goes on when there is', async () => {
    const refused = new VdoError({ code: 'KubeForbidden', message: 'may not get pods/proxy', remedy: 'Ask for it.' });
    const looks = setUp(exposed(1, 0), refused, exposed(2, 1));
    expect((await looks(2)).problem).toBe('may not get pods/proxy. Ask for it.');
    expect(await looks(1)).toMatchObject({ problem: '', samples: [{ calls: 1 }] });
  });
  it('keeps the last 120 readings', async () => {
    expect((await setUp()(200)).samples).toHaveLength(120);
  });
});
