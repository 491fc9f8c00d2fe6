import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { type DockerRegistry, startDockerRegistry } from '../harness/docker-registry.ts';
import { run } from '../harness/run.ts';
import { writeSmallLayout } from '../harness/small-layout.ts';

const sample = fileURLToPath(new URL('../../deploy/samples/minimal.yaml', import.meta.url));
const names = ['vdo/vdo:0.1.0', 'vdo/node:0.1.0'];

// A registry of others judges what `vdoctl bundle load` sends, and skopeo reads it back. Needs docker-registry and skopeo.
describe('a registry with TLS and a login', () => {
  let folder: TempFolder;
  let registry: DockerRegistry;
  let digests: ReadonlyMap<string, string>;
  const load = (...more: readonly string[]) =>
    runVdoctl(['bundle', 'load', folder.file('vdo.tar'), ...more], {
      env: { VDO_REGISTRY_PASSWORD: registry.password },
    });
  const trusted = () => ['--ca-file', registry.caFile];

  beforeAll(async () => {
    [folder, registry] = [await createTempFolder('bundle-registry'), await startDockerRegistry()];
    digests = await writeSmallLayout(
      folder.file('layout'),
      names.map((name) => `registry.test/${name}`),
    );
    const { exitCode, err } = await runVdoctl([
      ...['bundle', 'create', '--output', folder.file('vdo.tar'), '--registry', `${registry.host}/air/gap`],
      ...['--file', sample, '--kubernetes', '1.34.1', '--vsphere', '8.0.3', '--operator-version', '0.1.0'],
      ...['--images', folder.file('layout')],
    ]);
    expect(exitCode, err).toBe(0);
  });
  afterAll(async () => {
    await registry?.stop();
    await folder?.remove();
  });

  it('whose authority is not known is not told the password', async () => {
    const { exitCode, err } = await load('--user', registry.user);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/certificate/);
    expect(err).toContain('--ca-file');
  });

  it.each([
    ['without an account', []],
    ['with a wrong password', ['--user', 'pusher', '--password-file', 'wrong']],
  ])('refuses a load %s, and the message says how to log in', async (_, flags) => {
    await writeFile(folder.file('wrong'), 'something else\n');
    const { exitCode, err } = await load(
      ...trusted(),
      ...flags.map((flag) => (flag === 'wrong' ? folder.file(flag) : flag)),
    );
    expect(exitCode).toBe(1);
    expect(err).toMatch(/status 401/);
    expect(err).toContain('--user NAME');
  });

  it('takes all images, under the digests that they have in the bundle', async () => {
    const { exitCode, err } = await load(...trusted(), '--user', registry.user);
    expect(exitCode, err).toBe(0);
    await run('mkdir', ['-p', folder.file('certs')]);
    await run('cp', [registry.caFile, folder.file('certs/ca.crt')]);
    for (const name of names) {
      const copy = `oci:${folder.file(`copy-${name.replace(/\W/g, '-')}`)}:it`;
      await run('skopeo', [
        ...['copy', '--all', '--preserve-digests', '--src-cert-dir', folder.file('certs')],
        ...['--src-creds', `${registry.user}:${registry.password}`, `docker://${registry.host}/air/gap/${name}`, copy],
      ]);
      const { manifests } = JSON.parse(
        await run('skopeo', [
          ...[
            'inspect',
            '--raw',
            '--cert-dir',
            folder.file('certs'),
            '--creds',
            `${registry.user}:${registry.password}`,
          ],
          `docker://${registry.host}/air/gap/${name.split(':')[0]}@${digests.get(`registry.test/${name}`)}`,
        ]),
      );
      expect(manifests).toHaveLength(2);
    }
  });

  it('is not sent again what it has', async () => {
    const { exitCode, err } = await load(...trusted(), '--user', registry.user);
    expect(exitCode, err).toBe(0);
    expect(err.match(/ 0\.0 MB sent, .* was there/g)).toHaveLength(2);
  });
});
