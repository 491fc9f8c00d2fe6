import { createMetrics } from '@vdo/base/metrics';
import { describe, expect, it } from 'vitest';
import type { CheckOutcome, CheckResult } from './check.ts';
import { createCheckMetrics } from './check-metrics.ts';
import { tally } from './tally.ts';

const outcome = (id: string, result: CheckResult, name: string): CheckOutcome => ({
  id,
  result,
  reason: '',
  message: '',
  remedy: '',
  action: 'None',
  object: { kind: 'Node', name },
});

const series = async (metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> =>
  (await metrics.expose()).body.split('\n').filter((line) => line.startsWith('vdo_check_status{'));

describe('check metrics', () => {
  it('count objects by check, kind and status', async () => {
    const metrics = createMetrics();
    const nodes = ['a', 'b'].map((name) => outcome('node/vm-found', 'Pass', name));
    createCheckMetrics(metrics).show([tally('node/vm-found', [...nodes, outcome('node/vm-found', 'Fail', 'c')])]);
    expect(await series(metrics)).toEqual([
      'vdo_check_status{check="node/vm-found",object_kind="Node",status="Pass"} 2',
      'vdo_check_status{check="node/vm-found",object_kind="Node",status="Fail"} 1',
    ]);
  });

  it('forget objects that are gone, and keep checks that did not run', async () => {
    const metrics = createMetrics();
    const shown = createCheckMetrics(metrics);
    shown.show([
      tally('node/vm-found', [outcome('node/vm-found', 'Fail', 'a')]),
      tally('vcenter/dns', [outcome('vcenter/dns', 'Pass', 'vc')]),
    ]);
    shown.show([tally('node/vm-found', [])]);
    expect(await series(metrics)).toEqual(['vdo_check_status{check="vcenter/dns",object_kind="Node",status="Pass"} 1']);
  });
});
