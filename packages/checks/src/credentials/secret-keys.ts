import { type Check, type CheckObject, fail, pass, type Verdict, warn } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { notRead } from '../not-read.ts';

/** Including the drivers' own accounts. */
export const everyAccount = ({ vcenters, accounts = [] }: Pick<ClusterFacts, 'vcenters' | 'accounts'>) => [
  ...vcenters,
  ...accounts,
];

export const secretObject = ({ spec, secret }: VCenterFacts): CheckObject => ({
  kind: 'Secret',
  name: spec.credentialsSecret,
  namespace: secret.namespace,
});

const judge = (facts: VCenterFacts): Verdict => {
  const object = secretObject(facts);
  const { spec, secret } = facts;
  const place = `Secret ${object.namespace}/${object.name}`;
  if (secret.readError) return notRead(object, { error: secret.readError }, place, '');
  if (!secret.exists || !secret.lookup) {
    return fail(object, {
      reason: 'SecretMissing',
      message: `${place}, the credentials of vCenter ${spec.server}, does not exist`,
      remedy: `kubectl -n ${object.namespace} create secret generic ${object.name} --from-literal=username=USER@DOMAIN --from-file=password=FILE`,
    });
  }
  const { account, missingKeys, trailingNewlineKeys } = secret.lookup;
  if (!account) {
    return fail(object, {
      reason: 'SecretKeysMissing',
      message: `${place} has no account for vCenter ${spec.server}: ${missingKeys.join(' and ')} missing or empty`,
      remedy: `Add ${missingKeys.join(' and ')} to ${place}: kubectl -n ${object.namespace} patch secret ${object.name} -p '{"stringData":{${missingKeys.map((key) => `"${key}":"…"`).join(',')}}}'`,
    });
  }
  if (trailingNewlineKeys.length > 0) {
    return warn(object, {
      reason: 'TrailingLineBreak',
      message: `${trailingNewlineKeys.join(' and ')} of ${place} ends in a line break; VDO removes it, but other programs may not`,
      remedy: 'Write the value with printf or echo -n, not echo. To remove the line break:',
      commands: ['vdoctl doctor --only credentials/secret-keys --fix --yes'],
    });
  }
  return pass(object, `it holds the account of vCenter ${spec.server}`);
};

export const secretKeysCheck: Check = {
  id: 'credentials/secret-keys',
  title: 'The Secret of the vCenter has a user name and a password.',
  meaning: 'Without an account no login is possible. A line break at the end of a password usually comes from `echo`.',
  remedy:
    '`kubectl -n vmware-system-vdo create secret generic NAME --from-literal=username=USER@DOMAIN --from-file=password=FILE --dry-run=client -o yaml | kubectl apply -f -`, with a file written by `printf`. Only a line break has to go: `vdoctl doctor --fix` removes it.',
  action: 'BlockUpgradeOrDegrade',
  judge: (cluster) => everyAccount(cluster).map(judge),
};
