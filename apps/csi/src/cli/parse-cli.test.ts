import { describe, expect, it } from 'vitest';
import { parseCli } from './parse-cli.ts';

describe('the command line', () => {
  it('has defaults that fit the pods of the operator', () => {
    expect(parseCli(['controller'])).toEqual({
      kind: 'controller',
      flags: {
        csiEndpoint: 'unix:///csi/csi.sock',
        bindAddress: '0.0.0.0',
        metricsBindAddress: '0.0.0.0',
        healthPort: 9808,
        logLevel: 'info',
        vsphereConf: '/etc/vsphere/vsphere.conf',
        strictConfig: false,
        leaderElectionNamespace: 'vmware-system-csi',
        sidecars: 'builtin',
        workers: 20,
      },
    });
  });

  it('takes the node role', () => {
    expect(parseCli(['node', '--node-name=n1', '--no-register', '--sysfs-root', '/tmp/sys'])).toMatchObject({
      kind: 'node',
      flags: { nodeName: 'n1', register: false, sysfsRoot: '/tmp/sys' },
    });
  });

  it('simulates mounts only where it is told to', () => {
    const flagsOf = (...args: string[]) => parseCli(['node', '--node-name=n1', ...args]);
    expect(flagsOf()).not.toHaveProperty('flags.simulateMounts');
    expect(flagsOf('--simulate-mounts', '/tmp/mounts.json')).toMatchObject({
      flags: { simulateMounts: '/tmp/mounts.json' },
    });
  });

  it.each([
    ['an unknown role', ['operator'], 'unknown command'],
    ['an unknown flag', ['controller', '--vsphere-config', 'x'], '--vsphere-conf'],
    ['a port that is none', ['controller', '--health-port', '70000'], 'whole number from 0 to 65535'],
    ['other sidecars', ['controller', '--sidecars', 'none'], 'builtin, external'],
    ['a cluster id with spaces', ['controller', '--cluster-id', 'a b'], '1 to 64 printable'],
    ['a node without name', ['node'], '--node-name'],
    ['nothing at all', [], 'vsphere-csi'],
  ])('refuses %s and says what it takes', (_name, args, text) => {
    const result = parseCli(args);
    expect(result).toMatchObject({ kind: 'exit', code: 1 });
    expect(result.kind === 'exit' && result.text).toContain(text);
  });

  it.each([
    ['the program', ['--help'], 'controller'],
    ['the controller role', ['controller', '--help'], '--vsphere-conf'],
    ['the node role', ['node', '--help'], '--kubelet-registration-path'],
  ])('helps with %s', (_name, args, text) => {
    const result = parseCli(args);
    expect(result).toMatchObject({ kind: 'exit', code: 0 });
    expect(result.kind === 'exit' && result.text).toContain(text);
  });
});
