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
import { anySlot, csiSlot, slotWithVCenter } from './processes.ts';
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
  'slow request': late(context, 'before', 500 * upTo(24, (context.dice[2] * 7919) % 1)),
  'slow reply': late(context, 'after', 500 * upTo(24, (context.dice[2] * 7919) % 1)),
});

/** Three in ten lose the reply: that leaves most to find out, and a second disk if it is taken for a failure. */
const vcenterFaults = (context: StepContext): readonly (readonly [string, Trouble])[] => [
  ['reply lost', replyLost],
  ['reply lost', replyLost],
  ...Object.entries(faultsOfVCenter(context)),
];

const faultsOfVCenter = (context: StepContext): Readonly<Record<string, Trouble>> => ({
  'reply lost': replyLost,
  'request lost': requestLost,
  '502 after': answeredAfterForwarding(502),
  '503 after': answeredAfterForwarding(503),
  '504 after': answeredAfterForwarding(504),
  '503 before': async () => httpResponse(503, '<html>503</html>', { 'content-type': 'text/html' }),
  'slow request': late(context, 'before', 500 * upTo(60, (context.dice[2] * 7919) % 1)),
  'slow reply': late(context, 'after', 500 * upTo(60, (context.dice[2] * 7919) % 1)),
});

/** What the programs ask the API server for: a fault of anything else would strike nobody. */
const requests = {
  csi: [
    ...[
      'POST persistentvolumes',
      'PATCH persistentvolumes',
      'DELETE persistentvolumes',
      'PATCH persistentvolumeclaims',
    ],
    ...['PATCH volumeattachments', 'PATCH volumeintents', 'DELETE volumeintents', 'PATCH volumesnapshotcontents'],
    ...['PUT leases', 'GET leases', 'GET persistentvolumes', 'GET persistentvolumeclaims', 'GET volumeattachments'],
    ...['GET volumeintents', 'GET volumesnapshotcontents', 'GET nodes', 'GET csinodes'],
  ],
  snapshots: [
    ...['POST volumesnapshotcontents', 'PATCH volumesnapshotcontents', 'PATCH volumesnapshots', 'PUT leases'],
    ...['PATCH persistentvolumeclaims', 'GET volumesnapshots', 'GET volumesnapshotcontents', 'GET leases'],
  ],
  cpi: ['PATCH nodes', 'PATCH nodes', 'DELETE nodes', 'PUT leases', 'GET nodes', 'GET leases'],
} as const;
const programs = { 'csi-1': 'csi', 'csi-2': 'csi', snapshots: 'snapshots', 'cpi-1': 'cpi', 'cpi-2': 'cpi' } as const;
export const changes = [
  ...['CnsCreateVolume', 'CnsDeleteVolume', 'CnsAttachVolume', 'CnsDetachVolume', 'CnsExtendVolume'],
  ...['CnsCreateSnapshots', 'CnsDeleteSnapshots', 'CnsUpdateVolumeMetadata'],
];
const reads = ['RetrievePropertiesEx', 'FindAllByUuid', 'Login'];

/** A trouble that notes what it strikes. */
const noted =
  ({ world }: StepContext, fault: string, trouble: Trouble): Trouble =>
  (request: HttpRequest, next) => {
    world.coverage.note(fault, operationOf(request));
    return trouble(request, next);
  };

/** Who changes what somebody else has changed is answered with 409; the rest can happen to everything. Writes are struck twice as often. */
const kubeTarget = (fault: string, program: keyof typeof requests, die: number): RegExp | undefined => {
  const writes = requests[program].filter((request) => !request.startsWith('GET'));
  const conflicts = writes.filter((request) => !request.startsWith('POST'));
  const [method, resource] =
    pick(fault === '409' ? conflicts : [...requests[program], ...writes], die)?.split(' ') ?? [];
  return method === undefined ? undefined : new RegExp(`^${method} .*/${resource}(/|$)`);
};

export const kubeFault: Happening = (context) => {
  const { dice, heal } = context;
  const replica = anySlot(context, dice[0]);
  if (!replica) return undefined;
  const [fault = '', trouble] = pick(Object.entries(kubeFaults(context)), dice[1]) ?? [];
  const what = kubeTarget(fault, programs[replica.name], dice[2]);
  if (!trouble || !what) return undefined;
  const times = upTo(3, (dice[1] * 7919) % 1);
  heal(replica.ways.onKube(striking(what, times, noted(context, fault, trouble))));
  return `${times} × ${fault} for ${what.source} of ${replica.identity}`;
};

export const vcenterFault: Happening = (context) => {
  const { dice, heal } = context;
  const replica = slotWithVCenter(context, dice[0]);
  if (!replica) return undefined;
  const [fault = '', trouble] = pick(vcenterFaults(context), dice[1]) ?? [];
  const cnsReads = ['CnsQueryVolume', 'CnsQuerySnapshots'];
  const methods = programs[replica.name] === 'csi' ? [...changes, ...changes, ...cnsReads, ...reads] : reads;
  const method = pick(methods, dice[2]);
  if (!trouble || !method) return undefined;
  const times = upTo(3, (dice[1] * 7919) % 1);
  heal(replica.ways.onVCenter(striking(new RegExp(`^${method}$`), times, noted(context, fault, trouble))));
  return `${times} × ${fault} for ${method} of ${replica.identity}`;
};

/** As above, for what shares alone need. */
export const shareFault: Happening = (context) => {
  const { dice, heal } = context;
  const replica = csiSlot(context, dice[0]);
  const [fault = '', trouble] = pick(vcenterFaults(context), dice[1]) ?? [];
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
  const repair = to === 'kube' ? replica.ways.onKube(outage()) : replica.ways.onVCenter(outage());
  const cancel = world.clock.schedule(repair, ms);
  heal(() => {
    cancel();
    repair();
  });
  world.coverage.note('cut off', to);
  return `${replica.identity} does not reach ${to} for ${ms / 1000} s`;
};
