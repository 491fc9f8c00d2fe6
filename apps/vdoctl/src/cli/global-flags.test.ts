import { describe, expect, it } from 'vitest';
import { moveGlobalFlags, takeSandbox, withPresentFlags } from './global-flags.ts';

describe('flags before the command', () => {
  it.each([
    ['--context lab status', 'status --context lab'],
    ['-n drivers -o json nodes', 'nodes -n drivers -o json'],
    ['--kubeconfig=file --no-color vsphere vms list', 'vsphere vms list --kubeconfig=file --no-color'],
    ['--context lab logs -- operator', 'logs --context lab -- operator'],
    ['status --context lab', 'status --context lab'],
    ['--help', '--help'],
    ['--context lab', '--context lab'],
    ['--unknown status', '--unknown status'],
  ])('%s becomes %s', (given, moved) => expect(moveGlobalFlags(given.split(' ')).join(' ')).toBe(moved));
});

describe('flags of 0.1.0', () => {
  it.each([
    ['uninstall --keep-definitions --yes', 'uninstall --keep-crds --yes'],
    ['cni apply --file a.yaml --replace', 'cni apply --file a.yaml --beside-other'],
    ['vsphere tags apply --replace', 'vsphere tags apply --replace'],
    ['uninstall -- --keep-definitions', 'uninstall -- --keep-definitions'],
  ])('%s means %s', (given, meant) => expect(withPresentFlags(given.split(' ')).join(' ')).toBe(meant));
});

describe('the sandbox that a command line names', () => {
  it.each([
    ['--sandbox blue status', 'status', 'blue'],
    ['status --sandbox=blue -o json', 'status -o json', 'blue'],
    ['logs -- --sandbox blue', 'logs -- --sandbox blue', undefined],
    ['status --sandbox', 'status --sandbox', undefined],
    ['sandbox status', 'sandbox status', undefined],
  ])('%s', (given, left, name) => {
    const { argv, sandbox } = takeSandbox(given.split(' '));
    expect([argv.join(' '), sandbox]).toEqual([left, name]);
  });
});
