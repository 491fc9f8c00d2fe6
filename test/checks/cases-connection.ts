import { configMaps, secrets } from '@vdo/kube/types/core';
import type { CheckCase } from './check-case.ts';
import { type CheckTestbed, patchSpec } from './check-testbed.ts';
import { account, namespace, server } from './testbed-model.ts';
import { put, putCopies, secretObject } from './testbed-objects.ts';

/** Ends the slowness that the case has made. */
const slow = { heal: (): void => undefined };
const dayMs = 24 * 3_600_000;
const renewed = 'BB:'.repeat(31).concat('BB');

const setTls = (testbed: CheckTestbed, tls: object): void =>
  patchSpec(testbed, (spec) => ({ ...spec, vcenters: spec.vcenters.map((one) => ({ ...one, tls })) }));
const networkIs = (kind: CheckTestbed['world']['network']) => (testbed: CheckTestbed) => {
  testbed.world.network = kind;
};
const setSecret = (testbed: CheckTestbed, given: { readonly username: string; readonly password: string }) =>
  put(testbed.kube, secrets, secretObject('vcenter', given));
const restoreSecret = (testbed: CheckTestbed) => setSecret(testbed, account);
const rejections = (testbed: CheckTestbed, count: number): object => {
  const attemptsMs = Array.from({ length: count }, () => testbed.clock.now() - 1_000);
  return { [`${server} ${account.username}`]: { attemptsMs, rejected: [] } };
};
const rejectedAt = (atMs: number): object => ({
  [`${server} ${account.username}`]: { attemptsMs: [], rejected: [{ version: 'former', atMs }] },
});
const acceptedAt = (acceptedMs: number): object => ({
  [`${server} ${account.username}`]: { attemptsMs: [], rejected: [], acceptedMs },
});
const putGuard = (testbed: CheckTestbed, data: Readonly<Record<string, string>>) =>
  put(testbed.kube, configMaps, {
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
    breaks: (testbed) => {
      testbed.world.certificate.trusted = false;
    },
    result: 'Fail',
    reason: 'VCenterTlsUntrusted',
    names: ['tls.thumbprints', 'tls.caBundle'],
    repair: (testbed) => setTls(testbed, { caBundle: 'the authority of the vCenter' }),
  },
  {
    check: 'vcenter/thumbprint',
    when: 'the certificate was renewed',
    breaks: (testbed) => {
      setTls(testbed, { thumbprints: [testbed.world.certificate.sha256] });
      testbed.world.certificate.sha256 = renewed;
    },
    result: 'Fail',
    reason: 'VCenterThumbprintMismatch',
    names: [renewed],
    repair: (testbed) => setTls(testbed, { thumbprints: [renewed] }),
  },
  {
    check: 'vcenter/answers',
    when: 'a web server answers',
    breaks: (testbed) => {
      testbed.world.impostor = '<html>It works!</html>';
    },
    result: 'Fail',
    reason: 'VCenterNotVSphere',
    names: [/Set `server`/],
    repair: (testbed) => {
      testbed.world.impostor = undefined;
    },
  },
  {
    check: 'vcenter/cert-expiry',
    when: 'the certificate ends in ten days',
    breaks: (testbed) => {
      testbed.world.certificate.validToMs = testbed.clock.now() + 10.5 * dayMs;
    },
    result: 'Warn',
    reason: 'CertificateExpiresSoon',
    names: ['in 10 days', 'certificate-manager'],
    repair: (testbed) => {
      testbed.world.certificate.validToMs = testbed.clock.now() + 700 * dayMs;
    },
  },
  {
    check: 'vcenter/cert-expiry',
    when: 'the certificate has ended',
    breaks: (testbed) => {
      testbed.world.certificate.validToMs = testbed.clock.now() - dayMs;
    },
    result: 'Fail',
    reason: 'CertificateExpired',
    names: ['Renew the machine certificate'],
    repair: (testbed) => {
      testbed.world.certificate.validToMs = testbed.clock.now() + 700 * dayMs;
    },
  },
  {
    check: 'vcenter/insecure-mode',
    when: 'any certificate is accepted',
    breaks: (testbed) => setTls(testbed, { insecure: true }),
    result: 'Warn',
    reason: 'CertificateNotVerified',
    names: ['tls.thumbprints', 'AA:AA'],
    repair: (testbed) => setTls(testbed, { thumbprints: [testbed.world.certificate.sha256] }),
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
    breaks: (testbed) => {
      testbed.world.vsphere = { min: '6.7.3', max: '7.0' };
    },
    result: 'Fail',
    reason: 'VCenterVersionUnsupported',
    names: ['8.0.3', 'spec.updates.matrix'],
    repair: (testbed) => {
      testbed.world.vsphere = { min: '6.7.3', max: '9.0' };
    },
  },
  {
    check: 'vcenter/version-in-matrix',
    when: 'it is as old as govmomi’s simulator says that it is',
    breaks: (testbed) => {
      testbed.world.garble = (reply) => reply.replace(/<(version|apiVersion)>8\.0\.3[.\d]*</g, '<$1>6.5.0<');
    },
    result: 'Warn',
    reason: 'VCenterUntried',
    names: ['6.5.0', '6.7.3', 'vcsim'],
    repair: (testbed) => {
      testbed.world.garble = undefined;
    },
  },
  {
    check: 'vcenter/features',
    when: 'the vCenter is older than what is asked for',
    breaks: (testbed) => {
      testbed.world.product = { version: '6.7.0', apiVersion: '6.7.3' };
    },
    result: 'Warn',
    reason: 'VCenterFeatureMissing',
    names: ['file volumes need vCenter 7.0 Update 1; this is 6.7 Update 3', 'kubectl patch vspheredrivers'],
    repair: 'run',
  },
  {
    check: 'vcenter/session-leak',
    when: 'a program logs in and never out',
    breaks: (testbed) => testbed.openSessions(60),
    result: 'Warn',
    reason: 'SessionLeak',
    names: ['govc session.ls', 'govc session.rm', 'forgetful'],
    repair: ({ vsphere }) => vsphere.control.expireSessions(account.username),
  },
  {
    check: 'vcenter/session-leak',
    when: 'nobody has looked for a long time',
    breaks: (testbed) => testbed.openSessions(500),
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
    breaks: (testbed) => setSecret(testbed, { ...account, password: '' }),
    result: 'Fail',
    reason: 'SecretKeysMissing',
    names: ['password missing or empty', /patch secret vcenter -p '\{"stringData":\{"password"/],
    repair: restoreSecret,
  },
  {
    check: 'credentials/secret-keys',
    when: 'the password ends in a line break',
    breaks: (testbed) => setSecret(testbed, { ...account, password: `${account.password}\n` }),
    result: 'Warn',
    reason: 'TrailingLineBreak',
    names: ['echo -n'],
    repair: restoreSecret,
  },
  {
    check: 'credentials/username-domain',
    when: 'the user name has no domain',
    breaks: (testbed) => setSecret(testbed, { ...account, username: 'k8s' }),
    result: 'Fail',
    reason: 'UserNameWithoutDomain',
    names: ['k8s@vsphere.local'],
    repair: restoreSecret,
  },
  {
    check: 'credentials/login',
    when: 'the password is wrong',
    breaks: async (testbed) => {
      await setSecret(testbed, { ...account, password: 'obviously-wrong' });
      testbed.vsphere.control.expireSessions();
    },
    result: 'Fail',
    reason: 'VCenterLoginRejected',
    names: [/Secret/],
    repair: restoreSecret,
  },
  {
    check: 'credentials/login',
    when: 'the password has expired',
    breaks: (testbed) => {
      testbed.vsphere.control.setAccount({ ...account, passwordExpired: true });
      testbed.vsphere.control.expireSessions();
    },
    result: 'Fail',
    reason: 'VCenterLoginRejected',
    names: ['the password of the account has expired', 'Set a new password', 'password-never-expires'],
    repair: async (testbed) => {
      const renewedAccount = { ...account, password: 'obviously-new' };
      testbed.vsphere.control.setAccount(renewedAccount);
      await setSecret(testbed, renewedAccount);
    },
  },
  {
    check: 'vcenter/readable-replies',
    when: 'an option of a VM has no key',
    breaks: async (testbed) => {
      testbed.world.garble = (reply) => reply.replace(/<key>disk\.EnableUUID<\/key>/, '');
      await testbed.outcomes(['node']);
    },
    result: 'Warn',
    reason: 'ReplyUnreadable',
    names: ['config.extraConfig of VirtualMachine:vm-', 'lacks its element key', 'vdoctl vsphere qualify'],
    repair: async (testbed) => {
      testbed.world.garble = undefined;
      await testbed.clock.advance(76 * 60_000);
    },
  },
  {
    check: 'credentials/lockout-risk',
    when: 'programs were rejected three times in three minutes',
    breaks: (testbed) =>
      putGuard(testbed, {
        operator: JSON.stringify(rejections(testbed, 1)),
        cpi: JSON.stringify(rejections(testbed, 2)),
      }),
    result: 'Fail',
    reason: 'AccountLockoutNear',
    names: ['3 logins', 'Secret vmware-system-vdo/vcenter'],
    repair: async (testbed) => {
      await restoreSecret(testbed);
      await testbed.clock.advance(181_000);
    },
  },
  {
    check: 'credentials/lockout-risk',
    when: 'a program was rejected, and has not tried the corrected account yet',
    breaks: (testbed) => putGuard(testbed, { csi: JSON.stringify(rejectedAt(testbed.clock.now() - 60_000)) }),
    result: 'Warn',
    reason: 'VCenterLoginSuspended',
    names: ['Secret vmware-system-vdo/vcenter'],
    // The operator logged in with it meanwhile.
    repair: (testbed) => {
      const csi = JSON.stringify(rejectedAt(testbed.clock.now() - 60_000));
      return putGuard(testbed, { csi, operator: JSON.stringify(acceptedAt(testbed.clock.now() - 1_000)) });
    },
  },
  {
    check: 'credentials/rotation-pending',
    when: 'the drivers still have the former password',
    breaks: async (testbed) => {
      const rotated = { ...account, password: 'obviously-new' };
      testbed.vsphere.control.setAccount(rotated);
      await setSecret(testbed, rotated);
    },
    result: 'Warn',
    reason: 'RotationPending',
    names: ({ home }) => [
      home.csi === namespace ? `${namespace}/vsphere-credentials` : `${home.csi}/vsphere-config-secret`,
      'kubectl -n vmware-system-vdo logs deployment/vdo-operator',
    ],
    // What the operator does once nothing holds it back.
    repair: (testbed) => putCopies(testbed, { ...account, password: 'obviously-new' }),
  },
];
