import { describe, expect, it } from 'vitest';
import { parseCli } from './cli.ts';

describe('the command line of the operator', () => {
  it('has a value for every flag', () => {
    expect(parseCli(['--health-port', '0', '--no-leader-elect'], '1.2.3')).toEqual({
      kind: 'run',
      flags: {
        namespace: 'vmware-system-vdo',
        bindAddress: '127.0.0.1',
        metricsBindAddress: '0.0.0.0',
        dashboardHost: [],
        healthPort: 0,
        leaderElect: false,
        dashboard: false,
        logLevel: 'info',
      },
    });
  });

  it.each([
    ['--help', 0, /^Usage: vdo-operator/],
    ['--version', 0, /^1\.2\.3\n$/],
    ['--nonsense', 1, /unknown option '--nonsense'/],
    ['--dashboard-prometheus=prometheus:9090', 1, /expected an address such as http:\/\/prometheus.monitoring:9090/],
    ['--health-port=70000', 1, /expected a port between 0 \(a free port\) and 65535/],
  ])('ends with what there is to show for %s', (flag, code, text) => {
    expect(parseCli([flag], '1.2.3')).toEqual({ kind: 'exit', code, text: expect.stringMatching(text) });
  });
});
