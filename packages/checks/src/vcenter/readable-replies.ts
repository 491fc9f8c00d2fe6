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
  if (!first) return pass(object, 'everything it sent can be read');
  const shown = unreadable
    .slice(0, shownAtMost)
    .map(({ object: of, property, why }) => `${property}${of === '' ? '' : ` of ${of}`} (${why})`);
  const more = unreadable.length > shownAtMost ? `, and ${unreadable.length - shownAtMost} more` : '';
  const values = unreadable.length === 1 ? '1 value' : `${unreadable.length} values`;
  return warn(object, {
    reason: 'ReplyUnreadable',
    message: `${values} that it sent cannot be read and were left out: ${shown.join('; ')}${more}`,
    remedy: `If nothing is wrong with the object, this is a defect of VDO: record the exchange with vdoctl vsphere qualify --server ${object.name} --record qualify.json and report it.${first.object === '' ? '' : ' See what it is:'}`,
    ...(first.object === ''
      ? {}
      : { commands: [`govc object.collect -json ${quoted(first.object)} ${quoted(first.property)}`] }),
  });
};

export const readableRepliesCheck: Check = {
  id: 'vcenter/readable-replies',
  title: 'Everything the vCenter sends can be read.',
  meaning:
    'A value that cannot be read is left out, and its object is treated as if the account could not see that value: a VM may lack its addresses, a datastore its space. Everything else works.',
  remedy:
    'Look at the object that the message names. If nothing is wrong with it, record the exchange ([qualify.md](../guides/qualify.md)) and report it.',
  action: 'None',
  judge: ({ vcenters }) => vcenters.map(judge),
};
