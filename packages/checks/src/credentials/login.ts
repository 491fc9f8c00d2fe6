import type { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import { rotateUser } from '../administrator.ts';
import { type Check, fail, pass, skipped, unknown, type Verdict, warn } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { everyAccount, secretObject } from './secret-keys.ts';

/** By default, vCenter locks an account after five rejected logins within 180 seconds. */
const lockedAt = 5;

/** If the password is known, write it into the Secret; otherwise set a new one. */
const remedyOf = (
  facts: VCenterFacts,
  login: VdoError,
  cluster: ClusterFacts,
): Pick<Verdict, 'remedy' | 'commands'> => {
  const { namespace, name } = secretObject(facts);
  const username = facts.secret.lookup?.account?.username;
  const isRefused = login.code === 'VCenterLoginRejected' || login.code === 'VCenterLoginSuspended';
  const remedy = login.remedy.replace('the credentials Secret', `Secret ${namespace}/${name}`);
  if (!isRefused || username === undefined) return { remedy };
  const commands = rotateUser(facts, cluster, username);
  if (commands.length === 0) return { remedy };
  return {
    remedy: `${remedy} If the password is lost, an administrator of vCenter can set a new one, which is also written into that Secret:`,
    commands,
  };
};

const judgeLogin = (facts: VCenterFacts, cluster: ClusterFacts): Verdict => {
  const object = secretObject(facts);
  const { login } = facts;
  if (login === true) return pass(object, `vCenter ${facts.spec.server} accepted the account`);
  if (login === undefined) {
    const because = facts.secret.lookup?.account ? 'vcenter/answers' : 'credentials/secret-keys';
    return unknown(object, `no login to vCenter ${facts.spec.server} was attempted`, because);
  }
  return fail(object, { reason: login.code, message: login.message, ...remedyOf(facts, login, cluster) });
};

const judgeLockout = (facts: VCenterFacts, nowMs: number): Verdict => {
  const object = secretObject(facts);
  const { recentRejections = 0, suspendedUntilMs = 0 } = facts.lockout ?? {};
  const remedy = `Correct the account in Secret ${object.namespace}/${object.name}; a changed Secret is used at once.`;
  if (recentRejections >= lockedAt - 2) {
    const message = `${recentRejections} logins to vCenter ${facts.spec.server} were rejected within 180 s; vCenter locks the account at ${lockedAt}`;
    return fail(object, { reason: 'AccountLockoutNear', message, remedy });
  }
  if (suspendedUntilMs > nowMs) {
    const until = new Date(suspendedUntilMs).toISOString();
    const message = `no login to vCenter ${facts.spec.server} is attempted until ${until}, so that the account is not locked`;
    return warn(object, { reason: 'VCenterLoginSuspended', message, remedy });
  }
  return pass(object, 'too few logins were rejected to lock the account');
};

const judgeRotation = (facts: VCenterFacts): Verdict => {
  const object = secretObject(facts);
  const { inUse, lookup, copy } = facts.secret;
  if (!lookup?.account) return unknown(object, 'the account is unknown', 'credentials/secret-keys');
  if (inUse === undefined) return skipped(object, 'no driver has an account yet');
  if (inUse === 'same') return pass(object, 'the drivers have the same account');
  return warn(object, {
    reason: 'RotationPending',
    message: `Secret ${object.namespace}/${object.name} was changed, but the drivers still use the old account of vCenter ${facts.spec.server} in Secret ${copy}`,
    remedy:
      'The operator copies it within a minute after credentials/login passes. Keep the old account in vCenter until then. If this does not change, the log of the operator shows why:',
    commands: [`kubectl -n ${object.namespace} logs deployment/${names.operator} --since=10m`],
  });
};

export const loginCheck: Check = {
  id: 'credentials/login',
  title: 'The vCenter accepts the account.',
  meaning: 'The user name or password is wrong, the password has expired, or the account is locked.',
  remedy:
    'Correct the account in the Secret. A changed Secret is tried at once, an unchanged one again after 15 minutes.',
  action: 'BlockUpgradeOrDegrade',
  judge: (cluster) => everyAccount(cluster).map((facts) => judgeLogin(facts, cluster)),
};

export const lockoutRiskCheck: Check = {
  id: 'credentials/lockout-risk',
  title: 'The account is not about to be locked by rejected logins.',
  meaning:
    'Single sign-on locks an account after five rejected logins within three minutes; then even the right password is rejected.',
  remedy: 'Correct the account in the Secret, and check for other programs that use an old password of this account.',
  action: 'BlockUpgrade',
  judge: (cluster) => everyAccount(cluster).map((facts) => judgeLockout(facts, cluster.nowMs)),
};

export const rotationPendingCheck: Check = {
  id: 'credentials/rotation-pending',
  title: 'The drivers use the account in the Secret.',
  meaning:
    'The Secret was changed, but the drivers do not have the new account yet; they stop working when the old account is disabled.',
  remedy:
    'Wait a minute. If the check still fails, run `kubectl -n vmware-system-vdo logs deployment/vdo-operator` to see why.',
  action: 'None',
  judge: (cluster) => everyAccount(cluster).map(judgeRotation),
};
