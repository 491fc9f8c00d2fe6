import { quoted } from '../administrator.ts';
import { type Check, type CheckObject, fail, pass, skipped, unknown, type Verdict, warn } from '../check.ts';
import { valueIn } from '../facts/reading.ts';
import type { PolicyFacts, VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { driversObject, few, notRead } from '../not-read.ts';
import { vcenterObject } from '../vcenter/reachability.ts';

const policyObject = ({ name }: PolicyFacts): CheckObject => ({ kind: 'StoragePolicy', name });

interface Seen {
  readonly facts: VCenterFacts;
  readonly policy: PolicyFacts;
}

/** Verdicts on policies, after those on vCenters whose policies are unknown. */
const perPolicy =
  (judge: (seen: readonly Seen[]) => readonly Verdict[]): Check['judge'] =>
  ({ vcenters, spec }: ClusterFacts) => {
    if (!spec.csi) return [skipped(driversObject, 'spec.csi is not set')];
    const unread = vcenters.filter(({ policies }) => !policies || 'error' in policies);
    const seen = vcenters.flatMap((facts) => (valueIn(facts.policies) ?? []).map((policy) => ({ facts, policy })));
    const verdicts = [
      ...unread.map((facts) =>
        notRead(
          vcenterObject(facts),
          facts.policies,
          'its storage policies',
          'vcenter/answers, credentials/login and privileges/root',
        ),
      ),
      ...judge(seen),
    ];
    return verdicts.length > 0 ? verdicts : [skipped(driversObject, 'no StorageClass sets a storage policy')];
  };

const judgeExists = (seen: readonly Seen[]): readonly Verdict[] => {
  const names = [...new Set(seen.map(({ policy }) => policy.name))];
  return names.flatMap((name) => {
    const same = seen.filter(({ policy }) => policy.name === name);
    const [first] = same;
    if (!first) return [];
    const object = policyObject(first.policy);
    const without = same.filter(({ policy }) => !policy.exists).map(({ facts }) => facts.spec.server);
    const classes = few(first.policy.classes);
    if (without.length === 0) return [pass(object, `it exists; StorageClass ${classes} uses it`)];
    const problem = {
      reason: 'PolicyMissing',
      message: `vCenter ${without.join(', ')} has no storage policy "${name}", which StorageClass ${classes} uses, or the account cannot see it`,
      remedy: `Create it (govc storage.policy.create -category CATEGORY -tag TAG '${name}'), or set another one in the StorageClass (its parameters cannot be changed: kubectl get sc ${first.policy.classes[0]} -o yaml > sc.yaml, edit storagepolicyname, kubectl replace --force -f sc.yaml). To list the existing policies:`,
      commands: ['govc storage.policy.ls'],
    };
    // With several vCenters a StorageClass may be meant for one of them.
    return [without.length === same.length ? fail(object, problem) : warn(object, problem)];
  });
};

const judgeCompatible = ({ facts, policy }: Seen): Verdict => {
  const object = policyObject(policy);
  if (!policy.exists)
    return skipped(object, `vCenter ${facts.spec.server} does not have it: see storage/policy-exists`);
  if (policy.compatible.length > 0) return pass(object, `${few(policy.compatible)} satisfy it`);
  if (policy.reasons.size === 0)
    return unknown(
      object,
      `no datastore of vCenter ${facts.spec.server} is known to be shared by the nodes`,
      'storage/datastore-shared',
    );
  const why = [...policy.reasons].slice(0, 5).map(([name, reason]) => `${name}: ${reason}`);
  const [candidate = 'DATASTORE'] = policy.reasons.keys();
  return fail(object, {
    reason: 'PolicyWithoutDatastore',
    message: `no datastore that the nodes share on vCenter ${facts.spec.server} satisfies "${policy.name}": ${why.join('; ')}`,
    remedy: `Make a shared datastore compatible, for a policy with tags: govc tags.attach -c CATEGORY TAG '${candidate}'; or change the policy. To see its rules:`,
    commands: [`govc storage.policy.info ${quoted(policy.name)}`],
  });
};

export const policyChecks: readonly Check[] = [
  {
    id: 'storage/policy-exists',
    title: 'Every storage policy that a StorageClass uses exists.',
    meaning: 'Claims of that class stay pending.',
    remedy:
      '`govc storage.policy.ls` lists the policies; create the missing one, or set another one in the StorageClass.',
    action: 'BlockUpgrade',
    judge: perPolicy(judgeExists),
  },
  {
    id: 'storage/policy-compatible',
    title: 'Every storage policy that a StorageClass uses is satisfied by a datastore that the nodes share.',
    meaning: 'Claims of that class stay pending, although policy and datastores exist.',
    remedy: 'Tag a shared datastore as the policy requires (`govc storage.policy.info NAME`), or change the policy.',
    action: 'BlockUpgrade',
    judge: perPolicy((seen) => seen.map(judgeCompatible)),
  },
];
