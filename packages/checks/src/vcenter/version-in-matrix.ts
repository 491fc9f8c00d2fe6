import { type Check, fail, pass, unknown, type Verdict, warn } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import { vcenterObject } from './reachability.ts';

const judge = (facts: VCenterFacts): Verdict => {
  const object = vcenterObject(facts);
  const { about, support } = facts;
  if (!about) return unknown(object, 'the version of the vCenter is unknown', 'vcenter/answers');
  if (!support) return unknown(object, 'no release was chosen to compare with', 'the condition Ready');
  const range = `${support.min} to ${support.max}`;
  if (support.verdict === 'inside') return pass(object, `version ${about.version} is within ${range}`);
  if (support.verdict === 'untried')
    return warn(object, {
      reason: 'VCenterUntried',
      message: `version ${about.version} is older than ${support.min}, the oldest that the selected drivers support; VDO uses it nevertheless, because govmomi's simulator reports this version`,
      remedy: `No action is needed if this is vcsim. Otherwise upgrade vCenter ${object.name} to ${support.min} or later.`,
    });
  const newer = support.verdict === 'too-new';
  return fail(object, {
    reason: 'VCenterVersionUnsupported',
    message: `version ${about.version} is ${support.verdict === 'unreadable' ? 'not readable' : `too ${newer ? 'new' : 'old'}`}; the selected drivers support ${range}`,
    remedy: newer
      ? 'Provide a newer compatibility matrix in spec.updates.matrix, or upgrade the operator.'
      : `Upgrade vCenter ${object.name} to ${support.min} or later.`,
  });
};

export const versionInMatrixCheck: Check = {
  id: 'vcenter/version-in-matrix',
  title: 'The drivers are known to work with this version of vCenter.',
  meaning: 'The selected drivers have not been tested with this vCenter version, or are known to fail with it.',
  remedy:
    'Too new: provide a newer compatibility matrix in `spec.updates.matrix`, or upgrade the operator. Too old: upgrade the vCenter.',
  action: 'BlockInstall',
  judge: ({ vcenters }) => vcenters.map(judge),
};
