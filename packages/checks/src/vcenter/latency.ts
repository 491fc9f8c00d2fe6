import { type Check, pass, unknown, type Verdict, warn } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import { vcenterObject } from './reachability.ts';

/** A healthy vCenter answers the simplest call within about ten milliseconds. */
export const slowAnswerMs = 1_500;

const judge = (facts: VCenterFacts): Verdict => {
  const object = vcenterObject(facts);
  const { latencyMs } = facts;
  if (latencyMs === undefined)
    return unknown(object, 'its response time is unknown', 'vcenter/answers and credentials/login');
  const text = `it answers the simplest call in ${latencyMs} ms`;
  if (latencyMs < slowAnswerMs) return pass(object, text);
  return warn(object, {
    reason: 'VCenterSlow',
    message: `${text}, expected less than ${slowAnswerMs} ms; volumes take longer to create and attach`,
    remedy: `Check the load of the vCenter in https://${object.name}:5480 (Monitor: CPU, memory, disks) and the network between it and the cluster.`,
  });
};

export const latencyCheck: Check = {
  id: 'vcenter/latency',
  title: 'The vCenter answers a simple call within 1.5 seconds.',
  meaning:
    'Every step of every volume operation is a call to vCenter, so that a slow vCenter delays pods that wait for volumes.',
  remedy:
    'Check CPU, memory and disks of the vCenter in its management interface (`https://SERVER:5480`, Monitor), and the network between it and the cluster.',
  action: 'None',
  judge: ({ vcenters }) => vcenters.map(judge),
};
