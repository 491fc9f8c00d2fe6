import type { AnyObject } from '@vdo/kube/types/object';
import type { Faults } from '../faults.ts';
import { getIn, listOf, objectOf, stringOf } from '../json.ts';
import { apiAudience, type Identities, type Identity } from './identities.ts';

const userInfo = ({ user, groups, uid }: Identity): object => ({ username: user, groups, ...(uid ? { uid } : {}) });

const accessStatus = (review: AnyObject, user: string, faults: Faults): object => {
  const wanted = objectOf(getIn(review, ['spec', 'resourceAttributes']));
  const text = (field: string) => stringOf(wanted[field]);
  const subresource = text('subresource');
  const resource = subresource === '' ? text('resource') : `${text('resource')}/${subresource}`;
  const isDenied = faults.isDenied({
    user,
    verb: text('verb'),
    group: text('group'),
    resource,
    namespace: text('namespace'),
    name: text('name'),
  });
  return isDenied ? { allowed: false, reason: 'denied by a rule of the simulator' } : { allowed: true };
};

/** Answers TokenReviews and access reviews. Everything is allowed that no `deny` fault forbids. */
export const answerReview = (
  review: AnyObject,
  caller: Identity,
  deps: { readonly identities: Identities; readonly faults: Faults },
): AnyObject => {
  switch (review.kind) {
    case 'TokenReview': {
      const [audience = apiAudience] = listOf(getIn(review, ['spec', 'audiences'])).map(stringOf);
      const identity = deps.identities.ofToken(stringOf(getIn(review, ['spec', 'token'])), audience);
      const status = identity
        ? { authenticated: true, user: userInfo(identity), audiences: [audience] }
        : { authenticated: false, error: 'the token is unknown or expired', user: {} };
      return { ...review, status };
    }
    case 'SelfSubjectReview':
      return { ...review, status: { userInfo: userInfo(caller) } };
    case 'SubjectAccessReview':
      return { ...review, status: accessStatus(review, stringOf(getIn(review, ['spec', 'user'])), deps.faults) };
    default:
      return { ...review, status: accessStatus(review, caller.user, deps.faults) };
  }
};
