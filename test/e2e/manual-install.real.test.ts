import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { names } from '@vdo/config/names';
import { nodes, persistentVolumeClaims } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { partPath } from '../harness/parts.ts';
import { type LifecycleTestbed, startLifecycleTestbed } from './lifecycle-testbed.ts';

const run = promisify(execFile);
let testbed: LifecycleTestbed;
let folder: TempFolder;

/** The commands of a page, in order: what stands in its blocks of shell. */
const commandsOf = (page: string): readonly string[] =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );

/** Types one command of the guide in its folder, with the files in which the account is. */
const type = async (command: string, secret: Readonly<Record<string, string>>): Promise<void> => {
  const words = command.split(' ').map((word) => {
    const [, key] = /^--from-file=(.*)=FILE_WITH_(?:USER_NAME|PASSWORD)$/.exec(word) ?? [];
    if (key === undefined) return word;
    return `--from-file=${key}=${secret[key.endsWith('.username') ? 'username' : 'password']}`;
  });
  expect(words[0]).toBe('kubectl');
  await run(partPath('kubectl'), ['--kubeconfig', testbed.kubeconfigPath, ...words.slice(1)], {
    cwd: folder.file('manual'),
    timeout: 120_000,
  });
};

// Seed 000: one place with all that a manual install needs.
describe('a manual install by the printed guide, on a cluster that has never seen the operator', () => {
  beforeAll(async () => {
    folder = await createTempFolder('manual');
    testbed = await startLifecycleTestbed({ operator: 'none' });
    await testbed.joinNode(testbed.a, false);
  });
  afterAll(async () => {
    await testbed?.stop();
    await folder?.remove();
  });

  it('is typed as it is printed, and every command ends well', async () => {
    const resource = {
      apiVersion: 'vdo.vmware.com/v1beta1',
      kind: 'VSphereDrivers',
      metadata: { name: 'cluster' },
      spec: { distribution: 'Native', vcenters: [testbed.a.spec], cpi: {}, csi: { snapshots: { install: true } } },
    };
    const file = folder.file('drivers.yaml');
    await writeFile(file, stringify(resource));
    const argv = ['--file', file, '--vsphere', '8.0.3', '--kubeconfig', testbed.kubeconfigPath];
    const { exitCode, err } = await runVdoctl(['render', ...argv, '--out-dir', folder.file('manual')]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const { username, password } = testbed.a.secret;
    const secret = { username: folder.file('username'), password: folder.file('password') };
    await writeFile(secret.username, username);
    await writeFile(secret.password, password);
    const commands = commandsOf(await readFile(join(folder.file('manual'), 'README.md'), 'utf8'));
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) await type(command, secret);
  });

  it('gives the node its cloud provider and claims their volumes', async () => {
    await testbed.until('the node to be initialized', async () => {
      const { spec } = await testbed.kube.get(nodes, { name: testbed.a.node.name });
      return spec.providerID?.startsWith(names.providerIdPrefix) && (spec.taints ?? []).length === 0;
    });
    await testbed.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'by-hand' },
      provisioner: names.csiDriver,
    } as AnyObject);
    await testbed.claim('data', 'by-hand');
    await testbed.until('the claim to be bound', async () => {
      const { status } = await testbed.kube.get(persistentVolumeClaims, { name: 'data', namespace: 'default' });
      return status?.phase === 'Bound';
    });
    expect(testbed.a.sim.volumes.list()).toHaveLength(1);
  });
});
