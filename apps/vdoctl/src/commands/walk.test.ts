import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWalkHouse } from '../testing/walk-house.ts';
import { allCommands } from './all-commands.ts';

type House = Awaited<ReturnType<typeof startWalkHouse>>;

interface Step {
  /** What is printed for people. Changes nothing. */
  readonly argv: (house: House) => readonly string[];
  readonly exitCode?: number;
  /** The mistake that people make most. */
  readonly mistake: (house: House) => readonly string[];
  /** What of a long document is kept. */
  readonly brief?: (text: string) => string;
}

const cluster = ({ kubeconfig }: House) => ['--kubeconfig', kubeconfig];
const noCluster = ['--kubeconfig', '/nonexistent/kubeconfig'];
const both = (house: House) => [...cluster(house), ...house.vcenterFlags];
const strangeVCenter = ['--server', '127.0.0.1', '--port', '1', '--user', 'u@vsphere.local', '--insecure'];

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
  install: { argv: (house) => ['--dry-run', ...cluster(house)], mistake: () => noCluster },
  uninstall: {
    argv: (house) => ['--dry-run', ...cluster(house)],
    mistake: (house) => cluster(house),
  },
  upgrade: { argv: (house) => ['--dry-run', ...cluster(house)], mistake: (house) => cluster(house) },
  'upgrade check': {
    argv: (house) => ['--kubernetes', '1.36', '--vsphere', '9.0', ...cluster(house)],
    mistake: () => noCluster,
  },
  rollback: {
    argv: (house) => ['--dry-run', ...cluster(house)],
    mistake: (house) => ['--to-csi', '8.0.0', '--dry-run', ...cluster(house)],
  },
  status: { argv: cluster, mistake: () => noCluster },
  doctor: {
    argv: (house) => ['--only', 'credentials,versions', '--all', ...cluster(house)],
    mistake: (house) => ['--only', 'XX', ...cluster(house)],
  },
  nodes: { argv: cluster, exitCode: 3, mistake: () => noCluster },
  volumes: { argv: cluster, exitCode: 3, mistake: () => noCluster },
  'volumes cleanup': {
    argv: (house) => ['--id', '00000000-0000-4000-8000-000000000001', '--dry-run', ...cluster(house)],
    exitCode: 1,
    mistake: cluster,
  },
  events: { argv: cluster, mistake: () => noCluster },
  logs: { argv: cluster, mistake: (house) => ['csi-node', '--node', 'node-9', ...cluster(house)] },
  versions: {
    argv: cluster,
    mistake: () => ['--output', 'xml'],
    brief: (text) => text.replace(/(Matrix of vdoctl\W+(?:version\W+)?)\d+/, '$1N'),
  },
  'matrix show': {
    argv: (house) => ['--driver', 'csi', ...cluster(house)],
    mistake: () => ['--file', '/nonexistent.json'],
  },
  'matrix why': {
    argv: (house) => ['csi', '--kubernetes', '1.34', '--vsphere', '8.0.3', ...cluster(house)],
    mistake: (house) => ['csi', '--kubernetes', '1.5', '--vsphere', '8.0.3', '--file', house.at('matrix.json')],
  },
  'kubeadm config': { argv: () => ['--kubernetes', '1.34.1'], mistake: () => noCluster },
  'cni apply': {
    argv: (house) => ['--file', house.at('cni.yaml'), '--dry-run', ...cluster(house)],
    mistake: (house) => ['--file', '/nonexistent.yaml', ...cluster(house)],
  },
  render: {
    argv: (house) => ['--kubernetes', '1.34.1', ...cluster(house)],
    mistake: (house) => ['--file', house.at('cni.yaml'), '--kubernetes', '1.34.1'],
    brief: withoutBodies,
  },
  'vsphere privileges': { argv: () => [], mistake: () => ['-o', 'perl'] },
  'vsphere policies list': { argv: ({ vcenterFlags }) => vcenterFlags, mistake: () => strangeVCenter },
  'vsphere sessions': { argv: ({ vcenterFlags }) => vcenterFlags, mistake: () => strangeVCenter },
  'vsphere vms list': { argv: both, mistake: (house) => ['node-9', ...both(house)] },
  'vsphere vms prepare': {
    argv: (house) => ['--dry-run', ...both(house)],
    mistake: (house) => ['--vm-folder', '/nowhere', ...both(house)],
  },
  'vsphere user create': {
    argv: (house) => ['vdo@vsphere.local', '--dry-run', ...both(house)],
    mistake: (house) => ['vdo@corp.example', '--dry-run', ...both(house)],
  },
  'vsphere user apply': {
    argv: (house) => ['csi@vsphere.local', '--dry-run', ...both(house)],
    mistake: (house) => ['nobody@vsphere.local', '--dry-run', ...both(house)],
  },
  'vsphere user verify': { argv: cluster, mistake: () => noCluster },
  'vsphere user rotate': {
    argv: (house) => ['administrator@vsphere.local', '--dry-run', ...both(house)],
    mistake: (house) => ['nobody@vsphere.local', '--yes', ...both(house)],
  },
  'vsphere user delete': {
    argv: (house) => ['csi@vsphere.local', '--dry-run', ...both(house)],
    mistake: (house) => ['csi@vsphere.local', ...both(house)],
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
    argv: (house) => [house.at('matrix.json'), '--trust', house.at('publisher.pem')],
    mistake: (house) => [house.at('unsigned.json'), '--trust', house.at('publisher.pem')],
  },
  'matrix pull': {
    argv: (house) => [house.at('matrix.json'), '--trust', house.at('publisher.pem'), '--to', house.at('pulled.json')],
    mistake: () => ['/nonexistent.json', '--trust', '/nonexistent.pem'],
  },
  'matrix update': {
    argv: (house) => [house.at('matrix.json'), '--trust', house.at('publisher.pem'), '--dry-run', ...cluster(house)],
    mistake: (house) => [house.at('matrix.json'), '--dry-run', ...cluster(house)],
  },
  'bundle verify': {
    argv: (house) => [house.at('bundle.tar')],
    mistake: (house) => [house.at('cni.yaml')],
    // Files that name the address of the house are never the same.
    brief: (text) =>
      text.replaceAll(/"bytes": \d+/g, '"bytes": N').replaceAll(/"sha256": "[0-9a-f]{64}"/g, '"sha256": "SHA256"'),
  },
  explain: { argv: () => ['VCenterLoginRejected'], mistake: () => ['VCenterLoginRejectd'] },
};

/** These need another house or print no document, and have golden files of their own. */
const elsewhere = [
  'configure',
  'dashboard',
  'support-bundle',
  'bundle create',
  'migrate drivers',
  'migrate in-tree',
  'migrate undo',
  'migrate vdo',
  'completion',
  'completion names',
];

describe('a walk through all commands', () => {
  let house: House;
  beforeAll(async () => {
    house = await startWalkHouse();
    const bundled = ['--output', house.at('bundle.tar'), '--registry', 'mirror.example.com', ...cluster(house)];
    const signed = ['--matrix', house.at('matrix.json'), '--trust', house.at('publisher.pem')];
    await house.run(['bundle', 'create', ...bundled, ...signed, '--operator-version', '9.0.0']);
  });
  afterAll(() => house?.stop());

  it('misses none', () => {
    const names = allCommands.map(({ path }) => path.join(' ')).filter((name) => !name.startsWith('sandbox'));
    expect([...Object.keys(steps), ...elsewhere].sort()).toEqual(names.sort());
  });

  const entries = Object.entries(steps);
  const fileOf = (name: string): string => `golden/${name.replaceAll(' ', '-')}`;

  it.each(entries)('%s prints what people read', async (name, { argv, exitCode = 0, brief = (text) => text }) => {
    const printed = await house.run([...name.split(' '), ...argv(house)]);
    expect(printed.exitCode, printed.err).toBe(exitCode);
    await expect(brief(printed.out)).toMatchFileSnapshot(`${fileOf(name)}.txt`);
  });

  const printsJson = ([name]: (typeof entries)[number]): boolean =>
    allCommands.some(
      ({ path, options = [] }) => path.join(' ') === name && options.some(({ flags }) => flags.startsWith('-o, ')),
    );

  it.each(entries.filter(printsJson))('%s -o json prints a document', async (name, step) => {
    const { argv, exitCode = 0, brief = (text: string) => text } = step;
    const printed = await house.run([...name.split(' '), ...argv(house), '-o', 'json']);
    expect(printed.exitCode, printed.err).toBe(exitCode);
    expect(() => JSON.parse(printed.out)).not.toThrow();
    await expect(brief(printed.out)).toMatchFileSnapshot(`${fileOf(name)}.json.txt`);
  });

  it.each(entries)('%s says what is wrong and what helps', async (name, { mistake }) => {
    const printed = await house.run([...name.split(' '), ...mistake(house)]);
    expect(printed.exitCode).toBeGreaterThan(0);
    await expect(`exit code ${printed.exitCode}\n${unwrapped(printed.err)}`).toMatchFileSnapshot(
      `${fileOf(name)}.error.txt`,
    );
  });
});
