import { createSelfSigned } from '@vdo/base/self-signed';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { SsoAdmin } from '@vdo/vsphere/sso/sso-admin';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, connectTo, type Target } from './target.ts';

/** Parts of the contract that a simulator may lack; each is then shown to be lacking. */
export type SsoFeature = 'group-members' | 'password-reset' | 'administrators-only' | 'certificates-checked';

const certificateOf = (commonName: string): string =>
  createSelfSigned({ commonName, hosts: [`${commonName}.example`], nowMs: Date.now() }).cert;

const ecPair = () => {
  const { cert, key } = createSelfSigned({ commonName: 'ec', hosts: ['ec.example'], nowMs: Date.now() });
  return { cert, key };
};

const vmsOf = async ({ vcenter }: Connection): Promise<readonly VmFacts[]> => {
  const found = await vcenter.nodes.resolve([{ key: 'vm', names: ['DC0_C0_RP0_VM0'] }]);
  return [...found.values()].flatMap((one) => (one.state === 'found' ? [one.vm] : []));
};

const password = 'obviously-Fake-1!';

/** Users and groups, as creating accounts of least privilege needs them. */
export const describeSsoContract = (
  start: () => Promise<Target>,
  options: { readonly lacks?: readonly SsoFeature[] } = {},
): void => {
  const lacks = new Set(options.lacks ?? []);
  let target: Target;
  let main: Connection;
  let sso: SsoAdmin;

  beforeAll(async () => {
    target = await start();
    main = connectTo(target);
    sso = main.vcenter.sso;
  }, 60_000);
  afterAll(async () => {
    await main?.vcenter.close();
    await target?.stop();
  });

  const can = (feature: SsoFeature, name: string, run: () => Promise<void>): void => {
    if (lacks.has(feature)) it(`(lacks ${feature}) ${name}`, () => expect(run()).rejects.toBeDefined());
    else it(name, run);
  };

  const as = (username: string, secret: string): Connection =>
    connectTo(target, { credentials: async () => ({ username, password: secret, version: secret }) });

  /** Logs in as somebody, and out again. */
  const loginAs = async (username: string, secret: string): Promise<void> => {
    const { vcenter } = as(username, secret);
    try {
      await vcenter.login();
    } finally {
      await vcenter.close();
    }
  };

  describe('users', () => {
    it('are created, found, updated and deleted', async () => {
      const details = { description: 'for storage & <more>', firstName: 'Csi' };
      await sso.createUser({ name: 'k8s-csi', password, details });
      const found = await sso.findUser('k8s-csi');
      expect(found).toMatchObject({ name: 'k8s-csi@vsphere.local', details, disabled: false, locked: false });
      expect(await sso.findUsers('k8s-')).toEqual([found]);
      await sso.updateUser('k8s-csi@vsphere.local', { description: 'changed' });
      expect((await sso.findUser('k8s-csi@vsphere.local'))?.details).toMatchObject({ description: 'changed' });
      expect(await sso.deleteUser('k8s-csi')).toBe(true);
      expect(await sso.deleteUser('k8s-csi')).toBe(false);
      expect(await sso.findUser('k8s-csi')).toBeUndefined();
    });

    it('log in with the password they were given', async () => {
      await sso.createUser({ name: 'k8s-cpi', password });
      await loginAs('k8s-cpi@vsphere.local', password);
      await expect(loginAs('k8s-cpi@vsphere.local', 'wrong')).rejects.toMatchObject({ code: 'VCenterLoginRejected' });
    });

    it('are not created twice', async () => {
      await sso.createUser({ name: 'twice', password });
      await expect(sso.createUser({ name: 'twice', password })).rejects.toMatchObject({ code: 'VCenterFault' });
    });

    it('of other domains are not changed', async () => {
      await expect(sso.createUser({ name: 'somebody@example.com', password })).rejects.toMatchObject({
        code: 'InvalidArgument',
        message: expect.stringContaining('vsphere.local'),
      });
    });

    can('password-reset', 'take a new password', async () => {
      await sso.createUser({ name: 'rotated', password });
      await sso.resetPassword('rotated', `${password}new`);
      await loginAs('rotated@vsphere.local', `${password}new`);
    });

    can('administrators-only', 'are not shown to users without rights', async () => {
      await sso.createUser({ name: 'nobody', password });
      const { vcenter } = as('nobody@vsphere.local', password);
      try {
        await expect(vcenter.sso.findUsers('')).rejects.toMatchObject({ code: 'VCenterPermissionDenied' });
      } finally {
        await vcenter.close();
      }
    });
  });

  describe('solution users', () => {
    it('are created, found by name and by certificate, given a new certificate, and deleted', async () => {
      const [first, second] = [certificateOf('one'), certificateOf('two')];
      await sso.createSolutionUser({ name: 'vdo-operator', certificate: first, description: 'drivers' });
      const found = await sso.findSolutionUser('vdo-operator@vsphere.local');
      expect(found).toMatchObject({ name: 'vdo-operator@vsphere.local', description: 'drivers', disabled: false });
      expect(await sso.findSolutionUserByCertificate(first)).toEqual(found);
      expect(await sso.findSolutionUserByCertificate(second)).toBeUndefined();
      expect(await sso.findSolutionUsers('vdo-')).toEqual([found]);
      expect(await sso.findUser('vdo-operator')).toBeUndefined();
      await sso.updateSolutionUser({ name: 'vdo-operator', certificate: second });
      expect((await sso.findSolutionUserByCertificate(second))?.name).toBe('vdo-operator@vsphere.local');
      expect(await sso.deleteSolutionUser('vdo-operator')).toBe(true);
      expect(await sso.deleteSolutionUser('vdo-operator')).toBe(false);
    });

    it('exist once for each name', async () => {
      const certificate = certificateOf('once');
      await sso.createSolutionUser({ name: 'once', certificate });
      await expect(sso.createSolutionUser({ name: 'once', certificate })).rejects.toMatchObject({
        code: 'VCenterFault',
      });
    });

    it('have certificates, and nothing else', async () => {
      await expect(sso.createSolutionUser({ name: 'none', certificate: 'text' })).rejects.toMatchObject({
        code: 'InvalidArgument',
      });
    });
  });

  describe('login by certificate', () => {
    const pairOf = (commonName: string) =>
      createSelfSigned({ commonName, hosts: ['solution.example'], nowMs: Date.now(), keyType: 'rsa' });

    it('opens the SOAP, the REST and the single sign-on session of a solution user', async () => {
      const { cert, key } = pairOf('csi');
      await sso.createSolutionUser({ name: 'csi-solution', certificate: cert });
      await sso.addToGroup('Administrators', ['csi-solution']).catch(() => undefined);
      const { vcenter, calls } = as(cert, key);
      await vcenter.login();
      expect(await calls('LoginByToken')).toBe(1);
      expect(await calls('Login')).toBe(0);
      await vcenter.sso.findSolutionUsers('');
      await vcenter.topology.locate(await vmsOf(main), { zone: 'no-such-category' });
      await vcenter.close();
    });

    can('certificates-checked', 'refuses a certificate that nobody has, once', async () => {
      const { cert, key } = pairOf('unknown');
      const { vcenter } = as(cert, key);
      await expect(vcenter.login()).rejects.toMatchObject({ code: 'VCenterLoginRejected' });
      await expect(vcenter.login()).rejects.toMatchObject({ code: 'VCenterLoginSuspended' });
      await vcenter.close();
    });

    it.each([
      ['the key of another certificate', () => [pairOf('a').cert, pairOf('b').key], /another/],
      ['a key that is no RSA key', () => Object.values(ecPair()), /RSA/],
      ['no key', () => [pairOf('c').cert, 'a password'], /cannot be read/],
    ] as const)('does not even connect with %s', async (_name, credentials, message) => {
      const [username = '', secret = ''] = credentials();
      const { vcenter, calls } = as(username, secret);
      const expected = { code: 'InvalidArgument', message: expect.stringMatching(message) };
      await expect(vcenter.login()).rejects.toMatchObject(expected);
      expect(await calls()).toBe(0);
      await vcenter.close();
    });
  });

  describe('groups', () => {
    it('are created, found and deleted', async () => {
      await sso.createGroup({ name: 'k8s-storage', description: 'volumes' });
      const found = await sso.findGroup('k8s-storage');
      expect(found?.name).toBe('k8s-storage@vsphere.local');
      expect(await sso.findGroups('k8s-')).toEqual([found]);
      expect(await sso.deleteGroup('k8s-storage')).toBe(true);
      expect(await sso.deleteGroup('k8s-storage')).toBe(false);
    });

    it('take users in and out', async () => {
      await sso.createUser({ name: 'member', password });
      await sso.createGroup({ name: 'crew' });
      await sso.addToGroup('crew', ['member']);
      expect(await sso.groupsOf('member')).toContain('crew@vsphere.local');
      await sso.removeFromGroup('crew', ['member@vsphere.local']);
      expect(await sso.groupsOf('member')).not.toContain('crew@vsphere.local');
    });

    can('group-members', 'list their users', async () => {
      await sso.createUser({ name: 'listed', password });
      await sso.createGroup({ name: 'listing' });
      await sso.addToGroup('listing', ['listed']);
      expect(await sso.usersInGroup('listing')).toEqual(['listed@vsphere.local']);
    });
  });

  describe('session', () => {
    it('is opened once, and again when it was ended', async () => {
      const { vcenter, calls } = connectTo(target);
      await Promise.all(Array.from({ length: 5 }, () => vcenter.sso.findUsers('')));
      expect(await calls('SsoAdminServiceInstance')).toBe(1);
      await target.control.endSessions();
      await vcenter.sso.findUsers('');
      expect(await calls('SsoAdminServiceInstance')).toBe(2);
      await vcenter.close();
    });

    it('sends a wrong password once', async () => {
      const { vcenter, calls } = connectTo(target, { password: 'wrong' });
      await expect(vcenter.sso.findUsers('')).rejects.toMatchObject({ code: 'VCenterLoginRejected' });
      await expect(vcenter.sso.findUsers('')).rejects.toMatchObject({ code: 'VCenterLoginSuspended' });
      expect(await calls('Login')).toBe(1);
      await vcenter.close();
    });
  });
};
