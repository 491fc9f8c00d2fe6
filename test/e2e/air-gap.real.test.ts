import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BundleIndex } from '@vdo/vdoctl/commands/bundle/bundle-files';
import { untar } from '@vdo/vdoctl/shared/archive/untar';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { type OciRegistry, startOciRegistry } from '../harness/oci-registry.ts';
import { publishPlacedMatrix } from '../harness/placed-matrix.ts';
import { spawnLogged } from '../harness/process.ts';
import { run } from '../harness/run.ts';
import { waitFor } from '../harness/wait-for.ts';

const sample = fileURLToPath(new URL('../../deploy/samples/upstream.yaml', import.meta.url));

/** A containerd of its own below the folder, as every node has one. */
const startContainerd = async (folder: TempFolder, name: string) => {
  const at = (child: string): string => folder.file(`${name}/${child}`);
  await mkdir(folder.file(name), { recursive: true });
  const config = [
    'version = 2',
    `root = "${at('root')}"`,
    `state = "${at('state')}"`,
    'disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.internal.v1.opt"]',
    `[grpc]\n  address = "${at('sock')}"`,
    `[ttrpc]\n  address = "${at('ttrpc')}"`,
  ];
  await writeFile(at('config.toml'), `${config.join('\n')}\n`);
  const daemon = spawnLogged('containerd', ['--config', at('config.toml')]);
  // A folder in memory takes no overlay; what holds the layers is no matter here.
  const env = { CONTAINERD_ADDRESS: at('sock'), CONTAINERD_SNAPSHOTTER: 'native' };
  const answers = () => run('ctr', ['version'], { env }).then(() => true);
  await waitFor(answers, { what: 'containerd', processes: [daemon] });
  return { env, stop: () => daemon.stop() };
};

describe('the commands of an air-gap bundle, as they are printed', () => {
  let [source, mirror]: readonly (OciRegistry | undefined)[] = [];
  let folder: TempFolder;
  let index: BundleIndex;
  /** Behind the words in front of them. */
  let scripts: ReadonlyMap<string, string>;

  beforeAll(async () => {
    [source, mirror] = [await startOciRegistry(), await startOciRegistry()];
    folder = await createTempFolder('air-gap');
    const trusted = await publishPlacedMatrix(source, folder);
    source.addImage('vdo/vdo', '9.9.9');
    const made = await runVdoctl([
      ...['bundle', 'create', '--output', folder.file('vdo.tar'), '--registry', `${mirror.host}/inside`],
      ...['--file', sample, '--kubernetes', '1.31.1', '--vsphere', '8.0.3', '--operator-version', '9.9.9'],
      ...trusted,
      ...['--from', source.host, '--vdo-from', source.host],
    ]);
    expect(made.exitCode, made.err).toBe(0);
    const files = new Map(
      untar(await readFile(folder.file('vdo.tar'))).map(({ path, content }) => [path, Buffer.from(content).toString()]),
    );
    index = JSON.parse(files.get('bundle.json') ?? '');
    const blocks = (files.get('README.md') ?? '').matchAll(/([^\n]+)\n\n```sh\n([\s\S]*?)```/g);
    const named: [string, string][] = [];
    for (const [, words = '', script = ''] of blocks) {
      // "Then in the air-gapped network:" follows what the line before it is about.
      const before = named.at(-1)?.[0] ?? '';
      named.push([words.startsWith('Then') ? `${words} ${before}` : words, script]);
    }
    scripts = new Map(named);
    // Registries without TLS have to be named as such; a user's mirror has it.
    const insecure = [source, mirror].map(({ host }) => `[[registry]]\nlocation = "${host}"\ninsecure = true\n`);
    await mkdir(folder.file('.config/containers'), { recursive: true });
    await writeFile(folder.file('.config/containers/registries.conf'), insecure.join('\n'));
  });
  afterAll(async () => {
    await Promise.all([source?.close(), mirror?.close()]);
    await folder?.remove();
  });

  const runScript = async (words: string, place: string, env: Readonly<Record<string, string>> = {}) => {
    const script = [...scripts].find(([name]) => name.startsWith(words))?.[1];
    if (script === undefined) throw new Error(`no script behind "${words}": ${[...scripts.keys()].join(' | ')}`);
    await mkdir(folder.file(place), { recursive: true });
    return run('bash', ['-e', '-c', script], { cwd: folder.file(place), env: { HOME: folder.path, ...env } });
  };
  /** Whether the mirror has every image, whole, and with the digest that the manifests name. */
  const expectMirrored = (): void => {
    expect(index.images.length).toBeGreaterThan(5);
    for (const { mirror: at, reference, repository, tag } of index.images) {
      const [, name = '', version = ''] = /^[^/]+\/(.+?)[:@]([^/]+)$/.exec(reference) ?? [];
      const wanted = source?.digestOf(repository, tag);
      expect(wanted, repository).toBeDefined();
      expect(mirror?.digestOf(name, version), reference).toBe(wanted);
      expect(mirror?.digestOf(name, tag), at).toBe(wanted);
    }
  };

  it('mirror all images with skopeo, from registry to registry', async () => {
    await runScript('On a machine that can reach both registries, with skopeo', 'direct');
    expectMirrored();
  });

  it('carry all images on a medium with skopeo', async () => {
    mirror?.clear();
    await runScript('With skopeo, on a machine', 'carried');
    await runScript('Then in the air-gapped network: With skopeo', 'carried');
    expectMirrored();
  });

  it('carry all images to nodes without a registry, with ctr', async () => {
    const [outside, node] = [await startContainerd(folder, 'o'), await startContainerd(folder, 'n')];
    try {
      await runScript('With ctr, on a machine', 'nodes', outside.env);
      source?.clear();
      await runScript('Then on each node: With ctr', 'nodes', node.env);
      const listed = await run('ctr', ['-n', 'k8s.io', 'images', 'ls', '-q'], { env: node.env });
      const names = listed.split('\n');
      for (const { reference } of index.images) expect(names).toContain(reference);
      const unpacked = await run('ctr', ['-n', 'k8s.io', 'images', 'check'], { env: node.env });
      for (const { reference } of index.images)
        expect(unpacked.split('\n').find((line) => line.startsWith(`${reference} `))).toMatch(/complete/);
    } finally {
      await Promise.all([outside.stop(), node.stop()]);
    }
  });
});
