import { quoted } from '../administrator.ts';
import { type Check, pass, unknown, type Verdict, warn } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import { vcenterObject } from './reachability.ts';

const shownAtMost = 3;

const judge = (facts: VCenterFacts): Verdict => {
  const object = vcenterObject(facts);
  const { unreadable } = facts;
  if (!unreadable) return unknown(object, 'nothing was read from it', 'vcenter/answers and credentials/login');
  const [first] = unreadable;
  if (!first) return pass(object, 'all its replies can be read');
  const shown = unreadable
    .slice(0, shownAtMost)
    .map(({ object: of, property, why }) => `${property}${of === '' ? '' : ` of ${of}`} (${why})`);
  const more = unreadable.length > shownAtMost ? `, and ${unreadable.length - shownAtMost} more` : '';
  const values = unreadable.length === 1 ? '1 value' : `${unreadable.length} values`;
  return warn(object, {
    reason: 'ReplyUnreadable',
    message: `${values} in its replies cannot be read and were ignored: ${shown.join('; ')}${more}`,
    remedy: `If the object is in order, this is a defect of VDO: record the exchange with vdoctl vsphere qualify --server ${object.name} --record qualify.json and report it.${first.object === '' ? '' : ' To see the value:'}`,
    ...(first.object === ''
      ? {}
      : { commands: [`govc object.collect -json ${quoted(first.object)} ${quoted(first.property)}`] }),
  });
};

export const readableRepliesCheck: Check = {
  id: 'vcenter/readable-replies',
  title: 'All replies of the vCenter can be read.',
  meaning:
    'A value that cannot be read is ignored, as if the account could not see it: for example, the IP addresses of a VM or the free space of a datastore are missing. Everything else works.',
  remedy:
    'Check the object named in the message. If it is in order, record the requests and replies with `vdoctl vsphere qualify --record FILE`, and report the problem with this file.',
  action: 'None',
  judge: ({ vcenters }) => vcenters.map(judge),
};
