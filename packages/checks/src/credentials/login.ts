import { type Check, pass, unknown, type Verdict } from '../check.ts';
import type { VCenterFacts } from '../facts.ts';
import { secretObject } from './secret-keys.ts';

/** vCenter locks an account at five rejected logins within 180 seconds, if its policy was not changed. */
const lockedAt = 5;

const judgeLogin = (facts: VCenterFacts): Verdict => {
  const object = secretObject(facts);
  const { login } = facts;
  if (login === true) return pass(object, `vCenter ${facts.spec.server} accepted the account`);
  if (login === undefined) {
    const because = facts.secret.lookup?.account ? 'VC/answers' : 'CR/secret-keys';
    return unknown(object, `no login to vCenter ${facts.spec.server} was tried`, because);
  }
  return { result: 'Fail', reason: login.code, message: login.message, remedy: login.remedy, object };
};

const judgeLockout = (facts: VCenterFacts, nowMs: number): Verdict => {
  const object = secretObject(facts);
  const { recentRejections = 0, suspendedUntilMs = 0 } = facts.lockout ?? {};
  const remedy = `Correct the account in Secret ${object.namespace}/${object.name}; a changed Secret is tried at once.`;
  if (recentRejections >= lockedAt - 2) {
    const message = `${recentRejections} logins to vCenter ${facts.spec.server} were rejected within 180 s; it locks the account at ${lockedAt}`;
    return { result: 'Fail', reason: 'AccountLockoutNear', message, remedy, object };
  }
  if (suspendedUntilMs > nowMs) {
    const until = new Date(suspendedUntilMs).toISOString();
    const message = `no login to vCenter ${facts.spec.server} is tried until ${until}, so that the account is not locked`;
    return { result: 'Warn', reason: 'VCenterLoginSuspended', message, remedy, object };
  }
  return pass(object, 'few rejected logins');
};

export const loginCheck: Check = {
  id: 'CR/login',
  title: 'The vCenter accepts the account.',
  action: 'BlockUpgradeOrDegrade',
  judge: ({ vcenters }) => vcenters.map(judgeLogin),
};

export const lockoutRiskCheck: Check = {
  id: 'CR/lockout-risk',
  title: 'The account is far from being locked by rejected logins.',
  action: 'BlockUpgrade',
  judge: ({ vcenters, nowMs }) => vcenters.map((facts) => judgeLockout(facts, nowMs)),
};
