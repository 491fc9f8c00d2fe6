import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { releasedProgram } from './parts.ts';
import { CommandError, run } from './run.ts';
import { startVcsim, type Vcsim } from './vcsim.ts';
import { waitFor } from './wait-for.ts';

describe('control plane', () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await startControlPlane({ audit: true });
  });
  afterAll(() => plane?.stop());

  test('kubectl of the administrator lists namespaces', async () => {
    expect(await plane.kubectl(['get', 'namespaces', '--output', 'name'])).toContain('namespace/kube-system');
  });

  test('a user without a role is forbidden to list namespaces', async () => {
    const kubeconfigPath = await plane.asUser('nobody', ['strangers']);
    const attempt = plane.kubectl(['get', 'namespaces'], { kubeconfigPath });
    await expect(attempt).rejects.toThrow(/User "nobody" cannot list resource "namespaces"/);
  });

  test("a group's role reaches the users of that group", async () => {
    const binding = ['create', 'clusterrolebinding', 'readers', '--clusterrole=view', '--group=readers'];
    await plane.kubectl(binding);
    const kubeconfigPath = await plane.asUser('reader', ['readers']);
    expect(
      await plane.kubectl(['get', 'configmaps', '--all-namespaces', '--output', 'name'], { kubeconfigPath }),
    ).toContain('configmap/');
    await expect(plane.kubectl(['create', 'namespace', 'mine'], { kubeconfigPath })).rejects.toThrow(/forbidden/i);
  });

  test('a service account acts under its own name', async () => {
    await plane.kubectl(['create', 'serviceaccount', 'robot', '--namespace', 'default']);
    const kubeconfigPath = await plane.asServiceAccount('default', 'robot');
    expect(await plane.kubectl(['auth', 'whoami', '--output', 'json'], { kubeconfigPath })).toContain(
      'system:serviceaccount:default:robot',
    );
  });

  test('controllers empty and remove a deleted namespace', async () => {
    await plane.kubectl(['create', 'namespace', 'short-lived']);
    await plane.kubectl(['create', 'configmap', 'content', '--namespace', 'short-lived']);
    await plane.kubectl(['delete', 'namespace', 'short-lived', '--wait=false']);
    const gone = async (): Promise<boolean> =>
      !(await plane.kubectl(['get', 'namespaces', '--output', 'name'])).includes('short-lived');
    await waitFor(gone, { what: 'the namespace to be gone', processes: plane.processes });
  });

  test('the audit log holds who did what', async () => {
    const created = (await plane.auditEvents()).filter(
      ({ verb, objectRef }) => verb === 'create' && objectRef?.name === 'short-lived',
    );
    expect(created.map(({ user, responseStatus }) => [user.username, responseStatus?.code])).toEqual([['admin', 201]]);
  });
});

describe('an earlier release', () => {
  test.each(['operator', 'cpi', 'csi', 'vdoctl'] as const)('its %s says which release it is', async (app) => {
    expect(await run(process.execPath, [releasedProgram('vdo-v0.1.0', app), '--version'])).toContain('0.1.0');
  });
});

describe('vcsim', () => {
  let vcsim: Vcsim;
  beforeAll(async () => {
    vcsim = await startVcsim({ vms: 3, hosts: 2 });
  });
  afterAll(() => vcsim?.stop());

  test('answers govc about', async () => {
    expect(await vcsim.govc('about')).toContain('VMware vCenter Server');
  });

  test('has the inventory it was asked for', async () => {
    const lines = async (...args: string[]): Promise<number> => (await vcsim.govc(...args)).trim().split('\n').length;
    expect(await lines('find', '/', '-type', 'm')).toBe(3);
    expect(await lines('find', '/', '-type', 'h')).toBe(2);
  });

  test('refuses a wrong password', async () => {
    const attempt = vcsim.govcAs({ username: vcsim.username, password: 'wrong' }, 'about');
    await expect(attempt).rejects.toThrow(/Login failure/);
  });

  test('refuses a wrong password on the REST endpoint too', async () => {
    const attempt = vcsim.govcAs({ username: vcsim.username, password: 'wrong' }, 'tags.ls');
    await expect(attempt).rejects.toBeInstanceOf(CommandError);
    await expect(vcsim.govc('tags.ls')).resolves.toBe('');
  });

  test('reports the version asked for', async () => {
    expect(JSON.parse(await vcsim.govc('about', '-json'))).toMatchObject({
      about: { version: '8.0.3', apiVersion: '8.0.3.0' },
    });
  });

  test.for([
    ['volumes (CNS)', ['volume.ls'], /^$/],
    ['storage policies (PBM)', ['storage.policy.ls'], /VM Encryption Policy/],
    ['SSO users', ['sso.user.ls'], /administrator/],
    ['first class disks', ['disk.ls'], /^$/],
  ] as const)('answers for %s', async ([, args, expected]) => {
    expect(await vcsim.govc(...args)).toMatch(expected);
  });

  test('delays the methods it was told to delay', async () => {
    const slow = await startVcsim({ vms: 1, methodDelayMs: { FindByUuid: 700 } });
    try {
      const startedMs = performance.now();
      await slow.govc('vm.info', '-vm.uuid', '00000000-0000-0000-0000-000000000000').catch(() => undefined);
      expect(performance.now() - startedMs).toBeGreaterThan(700);
    } finally {
      await slow.stop();
    }
  });

  test('serves the certificate whose thumbprint it names', async () => {
    const reported = await vcsim.govc('about.cert', '-k', '-json');
    expect(reported).toContain(vcsim.thumbprintSha1);
  });

  test('a stopped one can be started again on its port', async () => {
    const first = await startVcsim({ vms: 1 });
    await first.stop();
    const second = await startVcsim({ vms: 1, port: first.port });
    try {
      expect(second.url).toBe(first.url);
      expect(await second.govc('about')).toContain('VMware vCenter Server');
    } finally {
      await second.stop();
    }
  });
});
