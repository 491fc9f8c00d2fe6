import { configMaps, secrets } from '@vdo/kube/types/core';
import type { CheckCase } from './check-case.ts';
import { type CheckHouse, patchSpec } from './check-house.ts';
import { account, namespace, server } from './house-model.ts';
import { put, secretObject } from './house-objects.ts';

/** Ends the slowness that the case has made. */
const slow = { heal: (): void => undefined };
const dayMs = 24 * 3_600_000;
const renewed = 'BB:'.repeat(31).concat('BB');

const setTls = (house: CheckHouse, tls: object): void =>
  patchSpec(house, (spec) => ({ ...spec, vcenters: spec.vcenters.map((one) => ({ ...one, tls })) }));
const networkIs = (kind: CheckHouse['world']['network']) => (house: CheckHouse) => {
  house.world.network = kind;
};
const setSecret = (house: CheckHouse, given: { readonly username: string; readonly password: string }) =>
  put(house.kube, secrets, secretObject('vcenter', given));
const restoreSecret = (house: CheckHouse) => setSecret(house, account);
const rejections = (house: CheckHouse, count: number): object => {
  const attemptsMs = Array.from({ length: count }, () => house.clock.now() - 1_000);
  return { [`${server} ${account.username}`]: { attemptsMs, rejected: [] } };
};
const rejectedAt = (atMs: number): object => ({
  [`${server} ${account.username}`]: { attemptsMs: [], rejected: [{ version: 'former', atMs }] },
});
const acceptedAt = (acceptedMs: number): object => ({
  [`${server} ${account.username}`]: { attemptsMs: [], rejected: [], acceptedMs },
});
const putGuard = (house: CheckHouse, data: Readonly<Record<string, string>>) =>
  put(house.kube, configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'vsphere-login-guard', namespace },
    ...{ data },
  });

/** The way to the vCenter, and who may go it. */
export const connectionCases: readonly CheckCase[] = [
  {
    check: 'vcenter/dns',
    when: 'the name does not resolve',
    breaks: networkIs('name-unresolved'),
    result: 'Fail',
    reason: 'VCenterNameUnresolved',
    names: [server],
    repair: networkIs(undefined),
  },
  {
    check: 'vcenter/tcp',
    when: 'the port is closed',
    breaks: networkIs('refused'),
    result: 'Fail',
    reason: 'VCenterUnreachable',
    names: [`${server}:443`],
    repair: networkIs(undefined),
  },
  {
    check: 'vcenter/tls-trust',
    when: 'the certificate is signed by nobody known',
    breaks: (house) => {
      house.world.certificate.trusted = false;
    },
    result: 'Fail',
    reason: 'VCenterTlsUntrusted',
    names: ['tls.thumbprints', 'tls.caBundle'],
    repair: (house) => setTls(house, { caBundle: 'the authority of the vCenter' }),
  },
  {
    check: 'vcenter/thumbprint',
    when: 'the certificate was renewed',
    breaks: (house) => {
      setTls(house, { thumbprints: [house.world.certificate.sha256] });
      house.world.certificate.sha256 = renewed;
    },
    result: 'Fail',
    reason: 'VCenterThumbprintMismatch',
    names: [renewed],
    repair: (house) => setTls(house, { thumbprints: [renewed] }),
  },
  {
    check: 'vcenter/answers',
    when: 'a web server answers',
    breaks: (house) => {
      house.world.impostor = '<html>It works!</html>';
    },
    result: 'Fail',
    reason: 'VCenterNotVSphere',
    names: [/Set `server`/],
    repair: (house) => {
      house.world.impostor = undefined;
    },
  },
  {
    check: 'vcenter/cert-expiry',
    when: 'the certificate ends in ten days',
    breaks: (house) => {
      house.world.certificate.validToMs = house.clock.now() + 10.5 * dayMs;
    },
    result: 'Warn',
    reason: 'CertificateExpiresSoon',
    names: ['in 10 days', 'certificate-manager'],
    repair: (house) => {
      house.world.certificate.validToMs = house.clock.now() + 700 * dayMs;
    },
  },
  {
    check: 'vcenter/cert-expiry',
    when: 'the certificate has ended',
    breaks: (house) => {
      house.world.certificate.validToMs = house.clock.now() - dayMs;
    },
    result: 'Fail',
    reason: 'CertificateExpired',
    names: ['Renew the machine certificate'],
    repair: (house) => {
      house.world.certificate.validToMs = house.clock.now() + 700 * dayMs;
    },
  },
  {
    check: 'vcenter/insecure-mode',
    when: 'any certificate is accepted',
    breaks: (house) => setTls(house, { insecure: true }),
    result: 'Warn',
    reason: 'CertificateNotVerified',
    names: ['tls.thumbprints', 'AA:AA'],
    repair: (house) => setTls(house, { thumbprints: [house.world.certificate.sha256] }),
  },
  {
    check: 'vcenter/clock-skew',
    when: 'the clock of the vCenter is two minutes ahead',
    breaks: ({ vsphere }) => vsphere.control.setClockSkew(120_000),
    result: 'Fail',
    reason: 'ClockSkew',
    names: ['120 s ahead', 'NTP', `https://${server}:5480`],
    repair: ({ vsphere }) => vsphere.control.setClockSkew(0),
  },
  {
    check: 'vcenter/latency',
    when: 'the simplest call takes two seconds',
    breaks: ({ vsphere }) => {
      slow.heal = vsphere.control.addFault({ method: 'CurrentTime', effect: { kind: 'latency', ms: 2_000 } });
    },
    result: 'Warn',
    reason: 'VCenterSlow',
    names: ['ms, expected less than 1500 ms', `https://${server}:5480`],
    repair: () => slow.heal(),
  },
  {
    check: 'vcenter/version-in-matrix',
    when: 'the vCenter is newer than the drivers know',
    breaks: (house) => {
      house.world.vsphere = { min: '6.7.3', max: '7.0' };
    },
    result: 'Fail',
    reason: 'VCenterVersionUnsupported',
    names: ['8.0.3', 'spec.updates.matrix'],
    repair: (house) => {
      house.world.vsphere = { min: '6.7.3', max: '9.0' };
    },
  },
  {
    check: 'vcenter/version-in-matrix',
    when: 'it is as old as govmomi’s simulator says that it is',
    breaks: (house) => {
      house.world.garble = (reply) => reply.replace(/<(version|apiVersion)>8\.0\.3[.\d]*</g, '<$1>6.5.0<');
    },
    result: 'Warn',
    reason: 'VCenterUntried',
    names: ['6.5.0', '6.7.3', 'vcsim'],
    repair: (house) => {
      house.world.garble = undefined;
    },
  },
  {
    check: 'vcenter/features',
    when: 'the vCenter is older than what is asked for',
    breaks: (house) => {
      house.world.product = { version: '6.7.0', apiVersion: '6.7.3' };
    },
    result: 'Warn',
    reason: 'VCenterFeatureMissing',
    names: ['file volumes need vCenter 7.0 Update 1; this is 6.7 Update 3', 'kubectl patch vspheredrivers'],
    repair: 'run',
  },
  {
    check: 'vcenter/session-leak',
    when: 'a program logs in and never out',
    breaks: (house) => house.openSessions(60),
    result: 'Warn',
    reason: 'SessionLeak',
    names: ['govc session.ls', 'govc session.rm', 'forgetful'],
    repair: ({ vsphere }) => vsphere.control.expireSessions(account.username),
  },
  {
    check: 'vcenter/session-leak',
    when: 'nobody has looked for a long time',
    breaks: (house) => house.openSessions(500),
    result: 'Fail',
    reason: 'SessionLeak',
    names: [/50\d sessions/],
    repair: ({ vsphere }) => vsphere.control.expireSessions(account.username),
  },
  {
    check: 'credentials/secret-keys',
    when: 'the Secret is gone',
    breaks: ({ kube }) => kube.delete(secrets, { namespace, name: 'vcenter' }),
    result: 'Fail',
    reason: 'SecretMissing',
    names: ['kubectl -n vmware-system-vdo create secret generic vcenter'],
    repair: restoreSecret,
  },
  {
    check: 'credentials/secret-keys',
    when: 'the password is missing',
    breaks: (house) => setSecret(house, { ...account, password: '' }),
    result: 'Fail',
    reason: 'SecretKeysMissing',
    names: ['password missing or empty', /patch secret vcenter -p '\{"stringData":\{"password"/],
    repair: restoreSecret,
  },
  {
    check: 'credentials/secret-keys',
    when: 'the password ends in a line break',
    breaks: (house) => setSecret(house, { ...account, password: `${account.password}\n` }),
    result: 'Warn',
    reason: 'TrailingLineBreak',
    names: ['echo -n'],
    repair: restoreSecret,
  },
  {
    check: 'credentials/username-domain',
    when: 'the user name has no domain',
    breaks: (house) => setSecret(house, { ...account, username: 'k8s' }),
    result: 'Fail',
    reason: 'UserNameWithoutDomain',
    names: ['k8s@vsphere.local'],
    repair: restoreSecret,
  },
  {
    check: 'credentials/login',
    when: 'the password is wrong',
    breaks: async (house) => {
      await setSecret(house, { ...account, password: 'obviously-wrong' });
      house.vsphere.control.expireSessions();
    },
    result: 'Fail',
    reason: 'VCenterLoginRejected',
    names: [/Secret/],
    repair: restoreSecret,
  },
  {
    check: 'credentials/login',
    when: 'the password has expired',
    breaks: (house) => {
      house.vsphere.control.setAccount({ ...account, passwordExpired: true });
      house.vsphere.control.expireSessions();
    },
    result: 'Fail',
    reason: 'VCenterLoginRejected',
    names: ['the password of the account has expired', 'Set a new password', 'password-never-expires'],
    repair: async (house) => {
      const renewedAccount = { ...account, password: 'obviously-new' };
      house.vsphere.control.setAccount(renewedAccount);
      await setSecret(house, renewedAccount);
    },
  },
  {
    check: 'vcenter/readable-replies',
    when: 'an option of a VM has no key',
    breaks: async (house) => {
      house.world.garble = (reply) => reply.replace(/<key>disk\.EnableUUID<\/key>/, '');
      await house.outcomes(['node']);
    },
    result: 'Warn',
    reason: 'ReplyUnreadable',
    names: ['config.extraConfig of VirtualMachine:vm-', 'lacks its element key', 'vdoctl vsphere qualify'],
    repair: async (house) => {
      house.world.garble = undefined;
      await house.clock.advance(76 * 60_000);
    },
  },
  {
    check: 'credentials/lockout-risk',
    when: 'programs were rejected three times in three minutes',
    breaks: (house) =>
      putGuard(house, { operator: JSON.stringify(rejections(house, 1)), cpi: JSON.stringify(rejections(house, 2)) }),
    result: 'Fail',
    reason: 'AccountLockoutNear',
    names: ['3 logins', 'Secret vmware-system-vdo/vcenter'],
    repair: async (house) => {
      await restoreSecret(house);
      await house.clock.advance(181_000);
    },
  },
  {
    check: 'credentials/lockout-risk',
    when: 'a program was rejected, and has not tried the corrected account yet',
    breaks: (house) => putGuard(house, { csi: JSON.stringify(rejectedAt(house.clock.now() - 60_000)) }),
    result: 'Warn',
    reason: 'VCenterLoginSuspended',
    names: ['Secret vmware-system-vdo/vcenter'],
    // The operator logged in with it meanwhile.
    repair: (house) => {
      const csi = JSON.stringify(rejectedAt(house.clock.now() - 60_000));
      return putGuard(house, { csi, operator: JSON.stringify(acceptedAt(house.clock.now() - 1_000)) });
    },
  },
  {
    check: 'credentials/rotation-pending',
    when: 'the drivers still have the former password',
    breaks: async (house) => {
      const rotated = { ...account, password: 'obviously-new' };
      house.vsphere.control.setAccount(rotated);
      await setSecret(house, rotated);
    },
    result: 'Warn',
    reason: 'RotationPending',
    names: ['vsphere-credentials', 'kubectl -n vmware-system-vdo logs deployment/vdo-operator'],
    // What the operator does once nothing holds it back.
    repair: ({ kube }) =>
      put(kube, secrets, secretObject('vsphere-credentials', { ...account, password: 'obviously-new' }, `${server}.`)),
  },
];
