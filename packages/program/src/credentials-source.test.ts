import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCredentialsSource } from './credentials-source.ts';

const server = 'vc.example.com';
const secretRef = { kind: 'secret', namespace: 'vmware-system-vdo', name: 'vsphere-credentials' } as const;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const secret = (data: Record<string, string>, resourceVersion = '7') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...secretRef, uid: 'u1', resourceVersion },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
});
const clientWith = (held: { secret: KubeObject | undefined }): Pick<KubeClient, 'find'> => ({
  find: async <T extends KubeObject>() => held.secret as T | undefined,
});
const noFolder = async () => undefined;

describe('a Secret', () => {
  test('is read at each login, and a rotation changes its version', async () => {
    const held = {
      secret: secret({ [`${server}.username`]: 'cpi@vsphere.local', [`${server}.password`]: 'ex@mple "1"' }),
    };
    const source = createCredentialsSource(
      { server, credentials: secretRef },
      { kube: clientWith(held), readFolder: noFolder },
    );
    expect(await source({})).toEqual({ username: 'cpi@vsphere.local', password: 'ex@mple "1"', version: 'u1/7' });
    held.secret = secret({ [`${server}.username`]: 'cpi@vsphere.local', [`${server}.password`]: 'example-2' }, '8');
    expect(await source({})).toMatchObject({ password: 'example-2', version: 'u1/8' });
  });

  test('a missing one is reported, with the command that creates it', async () => {
    const source = createCredentialsSource(
      { server, credentials: secretRef },
      { kube: clientWith({ secret: undefined }), readFolder: noFolder },
    );
    await expect(source({})).rejects.toMatchObject({
      code: 'SecretMissing',
      message: expect.stringContaining('vmware-system-vdo/vsphere-credentials'),
      remedy: expect.stringMatching(
        /^kubectl create secret generic vsphere-credentials --namespace vmware-system-vdo .*vc\.example\.com\.password/,
      ),
    });
  });

  test('without the keys of this server, the error lists the missing keys', async () => {
    const source = createCredentialsSource(
      { server, credentials: secretRef },
      { kube: clientWith({ secret: secret({ 'other.username': 'x' }) }), readFolder: noFolder },
    );
    await expect(source({})).rejects.toMatchObject({
      code: 'SecretKeysMissing',
      message: expect.stringContaining(`${server}.username`),
    });
  });
});

describe('a folder', () => {
  const credentials = { kind: 'directory', path: '/etc/cloud/secrets' } as const;

  test('holds files named like the keys of a Secret', async () => {
    const files = { [`${server}.username`]: 'a', [`${server}.password`]: 'b\n' };
    const source = createCredentialsSource(
      { server, credentials },
      { kube: clientWith({ secret: undefined }), readFolder: async () => files },
    );
    const first = await source({});
    expect(first).toMatchObject({ username: 'a', password: 'b' });
    expect((await source({})).version).toBe(first.version);
    files[`${server}.password`] = 'c';
    expect((await source({})).version).not.toBe(first.version);
  });

  test('a missing one is reported', async () => {
    const source = createCredentialsSource(
      { server, credentials },
      { kube: clientWith({ secret: undefined }), readFolder: noFolder },
    );
    await expect(source({})).rejects.toMatchObject({
      code: 'SecretMissing',
      message: expect.stringContaining('/etc/cloud/secrets'),
    });
  });
});

test('an account in the configuration is used, and its version does not contain it', async () => {
  const source = createCredentialsSource(
    { server, credentials: { kind: 'inline', username: 'user', password: 'pass' } },
    { kube: clientWith({ secret: undefined }), readFolder: noFolder },
  );
  const { version, ...account } = await source({});
  expect(account).toEqual({ username: 'user', password: 'pass' });
  expect(version).not.toMatch(/user|pass/);
});

describe('a folder on disk', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'credentials-'));
  });
  afterEach(() => rm(path, { recursive: true }));
  const read = (folder = path) =>
    createCredentialsSource(
      { server, credentials: { kind: 'directory', path: folder } },
      { kube: clientWith({ secret: undefined }) },
    )({});

  test('is read as the kubelet mounts a Secret: files that link into a hidden folder', async () => {
    await mkdir(join(path, '..2026_11_16'));
    await writeFile(join(path, '..2026_11_16', `${server}.username`), 'a');
    await writeFile(join(path, '..2026_11_16', `${server}.password`), 'b');
    await symlink('..2026_11_16', join(path, '..data'));
    for (const key of ['username', 'password'])
      await symlink(`..data/${server}.${key}`, join(path, `${server}.${key}`));
    await mkdir(join(path, 'lost+found'));
    expect(await read()).toMatchObject({ username: 'a', password: 'b' });
  });

  test('a missing one and an unreadable one are distinguished', async () => {
    await expect(read(join(path, 'nowhere'))).rejects.toMatchObject({
      code: 'SecretMissing',
      message: expect.stringMatching(/nowhere .* does not exist$/),
    });
    await writeFile(join(path, 'file'), '');
    await expect(read(join(path, 'file'))).rejects.toMatchObject({
      code: 'SecretMissing',
      message: expect.stringMatching(/file .* cannot be read: ENOTDIR/),
    });
  });

  test('with an unreadable file, the error does not say that the key is empty', async () => {
    await writeFile(join(path, `${server}.username`), 'a');
    await symlink('nowhere', join(path, `${server}.password`));
    await expect(read()).rejects.toMatchObject({ message: expect.stringMatching(/cannot be read: ENOENT/) });
  });
});
