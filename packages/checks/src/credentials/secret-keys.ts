import { type Check, type CheckObject, pass, type Verdict } from '../check.ts';
import type { VCenterFacts } from '../facts.ts';

export const secretObject = ({ spec, secret }: VCenterFacts): CheckObject => ({
  kind: 'Secret',
  name: spec.credentialsSecret,
  namespace: secret.namespace,
});

const judge = (facts: VCenterFacts): Verdict => {
  const object = secretObject(facts);
  const { spec, secret } = facts;
  const place = `Secret ${object.namespace}/${object.name}`;
  if (!secret.exists || !secret.lookup) {
    return {
      result: 'Fail',
      reason: 'SecretMissing',
      message: `${place}, named by vCenter ${spec.server}, does not exist`,
      remedy: `kubectl -n ${object.namespace} create secret generic ${object.name} --from-literal=username=USER@DOMAIN --from-file=password=FILE`,
      object,
    };
  }
  const { account, missingKeys, trailingNewlineKeys } = secret.lookup;
  if (!account) {
    return {
      result: 'Fail',
      reason: 'SecretKeysMissing',
      message: `${place} has no account for vCenter ${spec.server}: ${missingKeys.join(' and ')} missing or empty`,
      remedy: `Add ${missingKeys.join(' and ')} to ${place}.`,
      object,
    };
  }
  if (trailingNewlineKeys.length > 0) {
    return {
      result: 'Warn',
      reason: 'TrailingLineBreak',
      message: `${trailingNewlineKeys.join(' and ')} of ${place} ends in a line break, which is cut off; other programs may not do so`,
      remedy: 'Write the value with printf or echo -n, not echo, and create the Secret again.',
      object,
    };
  }
  return pass(object, `it holds the account of vCenter ${spec.server}`);
};

export const secretKeysCheck: Check = {
  id: 'CR/secret-keys',
  title: 'The Secret of the vCenter has user name and password.',
  action: 'BlockUpgradeOrDegrade',
  judge: ({ vcenters }) => vcenters.map(judge),
};
