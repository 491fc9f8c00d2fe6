import { sleep } from '@vdo/base/clock';
import { type HttpRequest, httpResponse } from '@vdo/base/http';
import {
  answeredAfterForwarding,
  outage,
  replyLost,
  requestLost,
  striking,
  type Trouble,
} from '../../stories/troubles.ts';
import { operationOf } from '../operation-of.ts';
import { anySlot } from './processes.ts';
import { type Happening, pick, type StepContext, upTo } from './step.ts';

const statusOf = (code: number, reason: string): string =>
  JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `simulated: ${reason}`,
    reason,
    code,
  });
const refused =
  (code: number, reason: string, headers: Readonly<Record<string, string>> = {}): Trouble =>
  async () =>
    httpResponse(code, statusOf(code, reason), { 'content-type': 'application/json', ...headers });

const late =
  (context: StepContext, when: 'before' | 'after', ms: number): Trouble =>
  async (request, next) => {
    const options = request.signal ? { signal: request.signal } : {};
    if (when === 'before') await sleep(context.world.clock, ms, options);
    const reply = await next(request);
    if (when === 'after') await sleep(context.world.clock, ms, options);
    return reply;
  };

/** What can happen to a request to the API server. Leases are renewed by the same server, so they suffer the same. */
const kubeFaults = (context: StepContext): Readonly<Record<string, Trouble>> => ({
  'reply lost': replyLost,
  'request lost': requestLost,
  '504 after': answeredAfterForwarding(504),
  '503 before': refused(503, 'ServiceUnavailable'),
  '500 before': refused(500, 'InternalError'),
  '429': refused(429, 'TooManyRequests', { 'retry-after': '1' }),
  '409': refused(409, 'Conflict'),
  'slow request': late(context, 'before', 500 * upTo(24, context.dice[2])),
  'slow reply': late(context, 'after', 500 * upTo(24, context.dice[2])),
});

const vcenterFaults = (context: StepContext): Readonly<Record<string, Trouble>> => ({
  'reply lost': replyLost,
  'request lost': requestLost,
  '502 after': answeredAfterForwarding(502),
  '503 after': answeredAfterForwarding(503),
  '504 after': answeredAfterForwarding(504),
  '503 before': async () => httpResponse(503, '<html>503</html>', { 'content-type': 'text/html' }),
  'slow request': late(context, 'before', 500 * upTo(60, context.dice[2])),
  'slow reply': late(context, 'after', 500 * upTo(60, context.dice[2])),
});

const writes = [
  ...['persistentvolumes', 'persistentvolumes', 'persistentvolumeclaims', 'volumeattachments', 'volumeintents'],
  ...['volumesnapshotcontents', 'volumesnapshots', 'leases', 'nodes'],
];
export const changes = [
  ...['CnsCreateVolume', 'CnsDeleteVolume', 'CnsAttachVolume', 'CnsDetachVolume', 'CnsExtendVolume'],
  ...['CnsCreateSnapshots', 'CnsDeleteSnapshots', 'CnsUpdateVolumeMetadata'],
];
const reads = ['CnsQueryVolume', 'CnsQuerySnapshots', 'RetrievePropertiesEx', 'FindAllByUuid', 'Login'];

/** A trouble that notes what it strikes. */
const noted =
  ({ world }: StepContext, fault: string, trouble: Trouble): Trouble =>
  (request: HttpRequest, next) => {
    world.coverage.note(fault, operationOf(request));
    return trouble(request, next);
  };

/** A 409 answers writes only; the rest can meet reads, too. */
const kubeTarget = (fault: string, resource: string, die: number): RegExp => {
  const method = fault === '409' ? '(PUT|PATCH)' : die < 0.7 ? '(POST|PUT|PATCH|DELETE)' : 'GET';
  return new RegExp(`^${method} .*/${resource}(/|$)`);
};

export const kubeFault: Happening = (context) => {
  const { dice, heal } = context;
  const replica = anySlot(context, dice[0]);
  if (!replica) return undefined;
  const [fault = '', trouble] = pick(Object.entries(kubeFaults(context)), dice[1]) ?? [];
  const resource = pick(writes, dice[2]);
  if (!trouble || !resource) return undefined;
  const what = kubeTarget(fault, resource, (dice[0] * 7919) % 1);
  const times = upTo(3, (dice[1] * 7919) % 1);
  heal(replica.ways.onKube(striking(what, times, noted(context, fault, trouble))));
  return `${times} × ${fault} for ${what.source} of ${replica.identity}`;
};

export const vcenterFault: Happening = (context) => {
  const { dice, heal } = context;
  const replica = anySlot(context, dice[0]);
  if (!replica) return undefined;
  const [fault = '', trouble] = pick(Object.entries(vcenterFaults(context)), dice[1]) ?? [];
  const method = pick([...changes, ...changes, ...reads], dice[2]);
  if (!trouble || !method) return undefined;
  const times = upTo(3, (dice[1] * 7919) % 1);
  heal(replica.ways.onVCenter(striking(new RegExp(`^${method}$`), times, noted(context, fault, trouble))));
  return `${times} × ${fault} for ${method} of ${replica.identity}`;
};

/** As above, for what shares alone need. */
export const shareFault: Happening = (context) => {
  const { dice, heal } = context;
  const replica = anySlot(context, dice[0]);
  const [fault = '', trouble] = pick(Object.entries(vcenterFaults(context)), dice[1]) ?? [];
  if (!replica || !trouble) return undefined;
  const times = upTo(3, dice[2]);
  heal(replica.ways.onVCenter(striking(/^CnsConfigureVolumeACLs$/, times, noted(context, fault, trouble))));
  return `${times} × ${fault} for CnsConfigureVolumeACLs of ${replica.identity}`;
};

/** The API server is not reached by one process. */
export const cutOff: Happening = (context) => {
  const { world, dice, heal } = context;
  const replica = anySlot(context, dice[0]);
  if (!replica) return undefined;
  const to = dice[1] < 0.6 ? 'kube' : 'vcenter';
  const ms = 1_000 * upTo(60, dice[2]);
  const mend = to === 'kube' ? replica.ways.onKube(outage()) : replica.ways.onVCenter(outage());
  const cancel = world.clock.schedule(mend, ms);
  heal(() => {
    cancel();
    mend();
  });
  world.coverage.note('cut off', to);
  return `${replica.identity} does not reach ${to} for ${ms / 1000} s`;
};
