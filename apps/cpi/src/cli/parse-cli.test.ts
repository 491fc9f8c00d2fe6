import { describe, expect, test } from 'vitest';
import { parseCli } from './parse-cli.ts';

const parse = (...args: readonly string[]) =>
  parseCli(['--cloud-config', 'vsphere.conf', ...args], { version: '1.2.3' });
const flags = (...args: readonly string[]) => {
  const result = parse(...args);
  if (result.kind !== 'run') throw new Error(result.text);
  return result.flags;
};

describe('parseCli', () => {
  test('needs nothing but the configuration', () => {
    expect(flags()).toMatchObject({
      cloudConfig: 'vsphere.conf',
      leaderElect: true,
      leaderElectLeaseDuration: 15_000,
      leaderElectRenewDeadline: 10_000,
      leaderElectRetryPeriod: 2_000,
      leaderElectResourceName: 'cloud-controller-manager',
      leaderElectResourceNamespace: 'kube-system',
      securePort: 10_258,
      controllers: { cloudNode: true, cloudNodeLifecycle: true },
      nodeLabels: {},
      strictConfig: false,
    });
  });

  test('takes the arguments of the upstream manifests', () => {
    const result = parse(
      '--v=2',
      '--cloud-provider=vsphere',
      '--cluster-name=kubernetes',
      '--use-service-account-credentials=false',
    );
    expect(result).toMatchObject({ kind: 'run', flags: { v: 2 } });
    expect(result.kind === 'run' && result.warnings).toEqual([
      '--cluster-name has no effect: only load balancers use it',
      '--use-service-account-credentials has no effect: all controllers use one account',
    ]);
  });

  test.each([
    [['--leader-elect=false'], { leaderElect: false }],
    [['--leader-elect'], { leaderElect: true }],
    [['--strict-config'], { strictConfig: true }],
    [['--strict-config', 'false'], { strictConfig: false }],
    [['--leader-elect-lease-duration=1m30s'], { leaderElectLeaseDuration: 90_000 }],
    [['-v=4'], { v: 4 }],
    [['-v', '4'], { v: 4 }],
    [
      ['--node-labels', 'team=a,foo.bar/mapi=', '--node-labels', 'rack=7'],
      { nodeLabels: { team: 'a', 'foo.bar/mapi': '', rack: '7' } },
    ],
    [['--controllers=*,-cloud-node-lifecycle'], { controllers: { cloudNode: true, cloudNodeLifecycle: false } }],
    [
      ['--controllers=cloud-node-lifecycle-controller,-service'],
      { controllers: { cloudNode: false, cloudNodeLifecycle: true } },
    ],
    [['--profiling', 'false', '--secure-port', '0'], { securePort: 0 }],
  ])('reads %j', (args, expected) => {
    expect(flags(...args)).toMatchObject(expected);
  });

  test.each([
    [['--cloud-provider=vsphere-paravirtual'], 'Allowed choices are vsphere'],
    [['--leader-elect-resource-lock=endpoints'], 'Allowed choices are leases'],
    [['--leader-elect=maybe'], 'expected true or false'],
    [['--leader-elect-retry-period=soon'], 'expected a duration such as 15s'],
    [['--leader-elect-renew-deadline=20s'], '--leader-elect-lease-duration must be longer'],
    [['--leader-elect-retry-period=9s'], 'longer than 1.2 times'],
    [['--secure-port=70000'], 'from 0 to 65535'],
    [['--concurrent-node-syncs=1.5'], 'expected a whole number'],
    [['--kube-api-qps='], 'expected a number'],
    [['--node-labels', 'team'], 'expected key=value'],
    [['--node-labels', 'bad key=1'], 'is not a label key'],
    [['--node-labels', 'a=b c'], 'is not a label value'],
    [['--controllers=cloud-nodes'], 'there is no controller "cloud-nodes"'],
    [['--controllers=*,route'], 'route is not part of this program'],
    [['--tls-cert-file=a.crt'], 'set both'],
    [['--master=https://x'], '--master is not supported. Put the address'],
    [['--enable-leader-migration', '--webhooks=a'], '--webhooks is not supported'],
    [['--secure-prot=1'], '(Did you mean --secure-port?)'],
    [['somewhere'], 'too many arguments'],
  ])('refuses %j and says why', (args, text) => {
    const result = parse(...args);
    expect(result).toMatchObject({ kind: 'exit', code: 1 });
    expect(result.kind === 'exit' && result.text).toContain(text);
    expect(result.kind === 'exit' && result.text).toContain('vsphere-cpi --help');
  });

  test('asks for the configuration', () => {
    expect(parseCli([], { version: '1.2.3' })).toMatchObject({
      kind: 'exit',
      code: 1,
      text: expect.stringContaining('--cloud-config'),
    });
  });

  test('shows help and version', () => {
    const help = parse('--help');
    expect(help).toMatchObject({ kind: 'exit', code: 0 });
    const text = help.kind === 'exit' ? help.text : '';
    for (const heading of ['Usage:', 'Configuration:', 'Nodes:', 'Leader election:', 'Example:'])
      expect(text).toContain(heading);
    expect(parse('--version')).toEqual({ kind: 'exit', code: 0, text: 'vsphere-cpi 1.2.3\n' });
  });
});
