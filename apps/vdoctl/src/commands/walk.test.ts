import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWalkTestbed } from '../testing/walk-testbed.ts';
import { allCommands } from './all-commands.ts';

type Testbed = Awaited<ReturnType<typeof startWalkTestbed>>;

interface Step {
  /** What is printed for people. Changes nothing. */
  readonly argv: (testbed: Testbed) => readonly string[];
  readonly exitCode?: number;
  /** The mistake that people make most. */
  readonly mistake: (testbed: Testbed) => readonly string[];
  /** What of a long document is kept. */
  readonly brief?: (text: string) => string;
}

const cluster = ({ kubeconfig }: Testbed) => ['--kubeconfig', kubeconfig];
const noCluster = ['--kubeconfig', '/nonexistent/kubeconfig'];
const both = (testbed: Testbed) => [...cluster(testbed), ...testbed.vcenterFlags];
const unreachableVCenter = ['--server', '127.0.0.1', '--port', '1', '--user', 'u@vsphere.local', '--insecure'];

/** All comments, and of objects kind and name alone: render/golden has a small document that is whole. */
const withoutBodies = (text: string): string =>
  text
    .split('\n')
    .filter((line) => /^(#|---|kind: | {2}(name|namespace): )/.test(line))
    .map((line) => `${line}\n`)
    .join('');

/** Where lines of errors break depends on the length of folders. */
const unwrapped = (text: string): string => text.replaceAll(/\n(?!Remedy: |Code: |Error: |error: |\(|$)/g, ' ');

/** How each command is shown. The sandbox has its own tests, which start one. */
const steps: Readonly<Record<string, Step>> = {
  install: { argv: (testbed) => ['--dry-run', ...cluster(testbed)], mistake: () => noCluster },
  uninstall: {
    argv: (testbed) => ['--dry-run', ...cluster(testbed)],
    mistake: (testbed) => cluster(testbed),
  },
  upgrade: { argv: (testbed) => ['--dry-run', ...cluster(testbed)], mistake: (testbed) => cluster(testbed) },
  'upgrade check': {
    argv: (testbed) => ['--kubernetes', '1.36', '--vsphere', '9.0', ...cluster(testbed)],
    mistake: () => noCluster,
  },
  rollback: {
    argv: (testbed) => ['--dry-run', ...cluster(testbed)],
    mistake: (testbed) => ['--to-csi', '8.0.0', '--dry-run', ...cluster(testbed)],
  },
  status: { argv: cluster, mistake: () => noCluster },
  doctor: {
    argv: (testbed) => ['--only', 'credentials,versions', '--all', ...cluster(testbed)],
    mistake: (testbed) => ['--only', 'XX', ...cluster(testbed)],
  },
  nodes: { argv: cluster, exitCode: 3, mistake: () => noCluster },
  volumes: { argv: cluster, exitCode: 3, mistake: () => noCluster },
  'volumes cleanup': {
    argv: (testbed) => ['--id', '00000000-0000-4000-8000-000000000001', '--dry-run', ...cluster(testbed)],
    exitCode: 1,
    mistake: cluster,
  },
  'volumes move': {
    argv: (testbed) => ['pv-1', '--to', 'shared-vmfs', '--dry-run', ...cluster(testbed)],
    exitCode: 1,
    mistake: (testbed) => ['--to', 'shared-vmfs', ...cluster(testbed)],
  },
  'volumes trace': {
    argv: (testbed) => ['pv-1', ...cluster(testbed)],
    mistake: (testbed) => ['pv-9', ...cluster(testbed)],
    // The uid and the time of creation are never the same.
    brief: (text) =>
      text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID').replaceAll(/\d{4}-\S+Z/g, 'TIME'),
  },
  events: { argv: cluster, mistake: () => noCluster },
  logs: { argv: cluster, mistake: (testbed) => ['csi-node', '--node', 'node-9', ...cluster(testbed)] },
  versions: {
    argv: cluster,
    mistake: () => ['--output', 'xml'],
    brief: (text) => text.replace(/(Matrix of vdoctl\W+(?:version\W+)?)\d+/, '$1N'),
  },
  'matrix show': {
    argv: (testbed) => ['--driver', 'csi', ...cluster(testbed)],
    mistake: () => ['--file', '/nonexistent.json'],
  },
  'matrix why': {
    argv: (testbed) => ['csi', '--kubernetes', '1.34', '--vsphere', '8.0.3', ...cluster(testbed)],
    mistake: (testbed) => ['csi', '--kubernetes', '1.5', '--vsphere', '8.0.3', '--file', testbed.at('matrix.json')],
  },
  'kubeadm config': { argv: () => ['--kubernetes', '1.34.1'], mistake: () => noCluster },
  'cni apply': {
    argv: (testbed) => ['--file', testbed.at('cni.yaml'), '--dry-run', ...cluster(testbed)],
    mistake: (testbed) => ['--file', '/nonexistent.yaml', ...cluster(testbed)],
  },
  render: {
    argv: (testbed) => ['--kubernetes', '1.34.1', ...cluster(testbed)],
    mistake: (testbed) => ['--file', testbed.at('cni.yaml'), '--kubernetes', '1.34.1'],
    brief: withoutBodies,
  },
  'vsphere privileges': { argv: () => [], mistake: () => ['-o', 'perl'] },
  'vsphere policies list': { argv: ({ vcenterFlags }) => vcenterFlags, mistake: () => unreachableVCenter },
  'vsphere sessions': { argv: ({ vcenterFlags }) => vcenterFlags, mistake: () => unreachableVCenter },
  'vsphere vms list': { argv: both, mistake: (testbed) => ['node-9', ...both(testbed)] },
  'vsphere vms prepare': {
    argv: (testbed) => ['--dry-run', ...both(testbed)],
    mistake: (testbed) => ['--vm-folder', '/nowhere', ...both(testbed)],
  },
  'vsphere user create': {
    argv: (testbed) => ['vdo@vsphere.local', '--dry-run', ...both(testbed)],
    mistake: (testbed) => ['vdo@corp.example', '--dry-run', ...both(testbed)],
  },
  'vsphere user apply': {
    argv: (testbed) => ['csi@vsphere.local', '--dry-run', ...both(testbed)],
    mistake: (testbed) => ['nobody@vsphere.local', '--dry-run', ...both(testbed)],
  },
  'vsphere user verify': { argv: cluster, mistake: () => noCluster },
  'vsphere user rotate': {
    argv: (testbed) => ['administrator@vsphere.local', '--dry-run', ...both(testbed)],
    mistake: (testbed) => ['nobody@vsphere.local', '--yes', ...both(testbed)],
  },
  'vsphere user delete': {
    argv: (testbed) => ['csi@vsphere.local', '--dry-run', ...both(testbed)],
    mistake: (testbed) => ['csi@vsphere.local', ...both(testbed)],
  },
  'vsphere tags plan': {
    argv: ({ vcenterFlags }) => ['--region-category', 'region', '--zone-category', 'zone', ...vcenterFlags],
    mistake: ({ vcenterFlags }) => ['--zone', '/demo/host/nowhere=z', ...vcenterFlags],
  },
  'vsphere tags apply': {
    argv: ({ vcenterFlags }) => ['--region-category', 'r', '--zone-category', 'z', '--dry-run', ...vcenterFlags],
    mistake: ({ vcenterFlags }) => ['--region-category', 'r', '--zone-category', 'z', ...vcenterFlags],
  },
  'vsphere qualify': {
    argv: ({ vcenterFlags }) => vcenterFlags,
    mistake: ({ vcenterFlags }) => ['--write', ...vcenterFlags],
    // How long something takes is never the same.
    brief: (text) => text.replaceAll(/\d+(\.\d+)?/g, 'N').replaceAll(/ {2,}/g, '  '),
  },
  'matrix verify': {
    argv: (testbed) => [testbed.at('matrix.json'), '--trust', testbed.at('publisher.pem')],
    mistake: (testbed) => [testbed.at('unsigned.json'), '--trust', testbed.at('publisher.pem')],
  },
  'matrix pull': {
    argv: (testbed) => [
      testbed.at('matrix.json'),
      '--trust',
      testbed.at('publisher.pem'),
      '--to',
      testbed.at('pulled.json'),
    ],
    mistake: () => ['/nonexistent.json', '--trust', '/nonexistent.pem'],
  },
  'matrix update': {
    argv: (testbed) => [
      testbed.at('matrix.json'),
      '--trust',
      testbed.at('publisher.pem'),
      '--dry-run',
      ...cluster(testbed),
    ],
    mistake: (testbed) => [testbed.at('matrix.json'), '--dry-run', ...cluster(testbed)],
  },
  'bundle verify': {
    argv: (testbed) => [testbed.at('bundle.tar')],
    mistake: (testbed) => [testbed.at('cni.yaml')],
    // Files that name the address of the testbed are never the same.
    brief: (text) =>
      text.replaceAll(/"bytes": \d+/g, '"bytes": N').replaceAll(/"sha256": "[0-9a-f]{64}"/g, '"sha256": "SHA256"'),
  },
  explain: { argv: () => ['VCenterLoginRejected'], mistake: () => ['VCenterLoginRejectd'] },
};

/** These need another testbed or print no document, and have golden files of their own. */
const elsewhere = [
  'configure',
  'dashboard',
  'support-bundle',
  'volumes sync',
  'bundle create',
  'bundle load',
  'migrate drivers',
  'migrate in-tree',
  'migrate undo',
  'migrate vdo',
  'completion',
  'completion names',
];

describe('a walk through all commands', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startWalkTestbed();
    const bundled = ['--output', testbed.at('bundle.tar'), '--registry', 'mirror.example.com', ...cluster(testbed)];
    const signed = ['--matrix', testbed.at('matrix.json'), '--trust', testbed.at('publisher.pem')];
    await testbed.run(['bundle', 'create', ...bundled, ...signed, '--operator-version', '9.0.0']);
  });
  afterAll(() => testbed?.stop());

  it('misses none', () => {
    const names = allCommands.map(({ path }) => path.join(' ')).filter((name) => !name.startsWith('sandbox'));
    expect([...Object.keys(steps), ...elsewhere].sort()).toEqual(names.sort());
  });

  const entries = Object.entries(steps);
  const fileOf = (name: string): string => `golden/${name.replaceAll(' ', '-')}`;

  it.each(entries)('%s prints what people read', async (name, { argv, exitCode = 0, brief = (text) => text }) => {
    const printed = await testbed.run([...name.split(' '), ...argv(testbed)]);
    expect(printed.exitCode, printed.err).toBe(exitCode);
    await expect(brief(printed.out)).toMatchFileSnapshot(`${fileOf(name)}.txt`);
  });

  const printsJson = ([name]: (typeof entries)[number]): boolean =>
    allCommands.some(
      ({ path, options = [] }) => path.join(' ') === name && options.some(({ flags }) => flags.startsWith('-o, ')),
    );

  it.each(entries.filter(printsJson))('%s -o json prints a document', async (name, step) => {
    const { argv, exitCode = 0, brief = (text: string) => text } = step;
    const printed = await testbed.run([...name.split(' '), ...argv(testbed), '-o', 'json']);
    expect(printed.exitCode, printed.err).toBe(exitCode);
    expect(() => JSON.parse(printed.out)).not.toThrow();
    await expect(brief(printed.out)).toMatchFileSnapshot(`${fileOf(name)}.json.txt`);
  });

  it.each(entries)('%s says what is wrong and what helps', async (name, { mistake }) => {
    const printed = await testbed.run([...name.split(' '), ...mistake(testbed)]);
    expect(printed.exitCode).toBeGreaterThan(0);
    await expect(`exit code ${printed.exitCode}\n${unwrapped(printed.err)}`).toMatchFileSnapshot(
      `${fileOf(name)}.error.txt`,
    );
  });
});
