import { type Check, fail, pass, unknown, type Verdict } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import { everyAccount, secretObject } from './secret-keys.ts';

const withDomain = /^(?:[^@\\\s]+@[^@\\\s]+|[^@\\\s]+\\[^@\\\s]+)$/;

const judge = (facts: VCenterFacts): Verdict => {
  const object = secretObject(facts);
  const account = facts.secret.lookup?.account;
  if (!account) return unknown(object, 'the user name is unknown', 'credentials/secret-keys');
  // A solution user logs in with a certificate instead of a name.
  if (account.username.startsWith('-----BEGIN')) return pass(object, 'the account is a certificate');
  if (withDomain.test(account.username)) return pass(object, 'the user name has a domain');
  return fail(object, {
    reason: 'UserNameWithoutDomain',
    message: `the user name "${account.username}" has no domain, so that vCenter cannot determine the privileges of this user`,
    remedy: `Write the user name in Secret ${object.namespace}/${object.name} as user@domain, such as ${account.username.split(/[@\\]/)[0]}@vsphere.local, or as DOMAIN\\user.`,
  });
};

export const usernameDomainCheck: Check = {
  id: 'credentials/username-domain',
  title: 'The user name includes its domain.',
  meaning: 'The login may succeed, but the storage service cannot determine the privileges of the user.',
  remedy: 'Write the user name in the Secret as `user@domain` or `DOMAIN\\user`.',
  action: 'BlockInstall',
  judge: (cluster) => everyAccount(cluster).map(judge),
};
