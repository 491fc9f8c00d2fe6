import { sleep } from '@vdo/base/clock';
import { httpResponse } from '@vdo/base/http';
import { configMaps } from '@vdo/kube/types/core';
import { namespace } from '../../../stories/operator/create-operator-story.ts';
import {
  answeredAfterForwarding,
  nameOf,
  outage,
  replyLost,
  requestLost,
  striking,
  type Trouble,
} from '../../../stories/troubles.ts';
import { hinder, type Life, startOperator, takeOverMs } from '../life.ts';
import { endAfter, type OperatorHappening, type OperatorStepContext, pick } from './step.ts';

/** So long a reflector bears a silent stream; a look at rest comes after five minutes anyway. */
const silenceMs = 185_000;

const victimOf = ({ life, dice }: OperatorStepContext) => {
  const victim = life.operators[dice[0] < 0.5 ? 0 : 1];
  if (!victim) throw new Error('an operator is missing');
  return victim;
};

const refused =
  (code: number, reason: string, headers: Readonly<Record<string, string>> = {}): Trouble =>
  async () => {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: reason, reason, code };
    return httpResponse(code, JSON.stringify(status), { 'content-type': 'application/json', ...headers });
  };
const late =
  ({ story }: Life, ms: number): Trouble =>
  async (request, next) => {
    const reply = await next(request);
    await sleep(story.clock, ms, request.signal ? { signal: request.signal } : {});
    return reply;
  };

const faults = (
  life: Life,
  die: number,
): readonly [readonly [string, RegExp, Trouble], ...(readonly [string, RegExp, Trouble])[]] => [
  ['reply lost', /^(POST|PUT|PATCH|DELETE) /, replyLost],
  ['reply lost', /^(POST|PUT|PATCH|DELETE) /, replyLost],
  ['request lost', /./, requestLost],
  ['504 after', /^(POST|PUT|PATCH|DELETE) /, answeredAfterForwarding(504)],
  ['500', /./, refused(500, 'InternalError')],
  ['503', /./, refused(503, 'ServiceUnavailable')],
  ['429', /./, refused(429, 'TooManyRequests', { 'retry-after': '1' })],
  ['409', /^(PUT|PATCH|DELETE) /, refused(409, 'Conflict')],
  ['410', /^GET .*s$/, refused(410, 'Expired')],
  ['slow reply', /./, late(life, 1_000 + die * 29_000)],
];

export const kubeFault: OperatorHappening = (context) => {
  const { life, dice, heal } = context;
  const victim = victimOf(context);
  const [name, what, trouble] = pick(faults(life, dice[2]), dice[1]);
  const times = 1 + Math.floor(dice[2] * 6);
  const noted: Trouble = (request, next) => {
    hinder(life, takeOverMs);
    life.coverage.note(name, nameOf(request).replace(/\/[^/]*$/, ''));
    return trouble(request, next);
  };
  heal(victim.onKube(striking(what, times, noted)));
  return `${times} × ${name} for ${what.source} of ${victim.identity}`;
};

/** A follower that is behind answers reads. */
export const staleReads: OperatorHappening = ({ life, dice, heal }) => {
  const revisions = 1 + Math.floor(dice[0] * 30);
  const times = 1 + Math.floor(dice[1] * 12);
  heal(life.story.kubeSimNow().faults.add({ match: { verb: 'get' }, times, effect: { kind: 'stale', revisions } }));
  hinder(life, takeOverMs);
  life.coverage.note('stale reads', 'get');
  return `${times} reads answer ${revisions} revisions ago`;
};

export const restartServer: OperatorHappening = ({ life, dice }) => {
  const ms = 1_000 + dice[0] ** 2 * 60_000;
  if (dice[1] < 0.5) life.story.kubeSimNow().store.compact();
  life.story.kubeSimNow().interrupt(ms);
  hinder(life, ms + takeOverMs);
  life.coverage.note(dice[1] < 0.5 ? '410' : 'outage', 'all');
  return `the API server is away for ${Math.round(ms / 1000)} s${dice[1] < 0.5 ? ' and forgets the past' : ''}`;
};

export const backUp: OperatorHappening = ({ life }) => {
  life.backups.push(life.story.backUp());
  return 'etcd is backed up';
};

/** To what it was at a backup; the operators run on. */
export const restore: OperatorHappening = ({ life, dice }) => {
  const snapshot = life.backups[Math.floor(dice[0] * life.backups.length)];
  if (!snapshot) return undefined;
  life.story.restore(snapshot);
  life.amnesias += 1;
  hinder(life, silenceMs + takeOverMs);
  life.coverage.note('etcd restored', 'all');
  return 'etcd is restored from a backup';
};

export const killOperator: OperatorHappening = (context) => {
  const { life, dice } = context;
  const { identity } = victimOf(context);
  hinder(life, takeOverMs);
  return `${identity} dies, ${startOperator(life, dice[0] < 0.5 ? 0 : 1)} begins`;
};

/** SIGSTOP, and SIGCONT a while later. */
export const pauseOperator: OperatorHappening = (context) => {
  const { life, dice } = context;
  const { identity } = victimOf(context);
  const ms = 1_000 + dice[1] ** 2 * 90_000;
  endAfter(context, life.story.pause(identity), ms);
  hinder(life, ms + takeOverMs);
  life.coverage.note('pause', 'operator');
  return `${identity} stands still for ${Math.round(ms / 1000)} s`;
};

const cut =
  (what: RegExp, reported: string): OperatorHappening =>
  (context) => {
    const { life, dice } = context;
    const victim = victimOf(context);
    const ms = 3_000 + dice[1] * 60_000;
    endAfter(context, victim.onKube(outage(what)), ms);
    hinder(life, ms + takeOverMs);
    life.coverage.note('outage', reported);
    return `${victim.identity} cannot ${reported} for ${Math.round(ms / 1000)} s`;
  };
export const cutOff = cut(/./, 'reach the API server');
export const noLease = cut(/leases/, 'renew its Lease');

/** Somebody takes a right from the operators, and gives it back: no event tells of either. */
export const noRight: OperatorHappening = (context) => {
  const { life, dice } = context;
  const method = pick(['PATCH', 'GET', 'POST'], dice[0]);
  const resource = pick(['deployments', 'secrets', 'configmaps', 'csidrivers', 'pods', 'clusterroles'], dice[1]);
  const what = new RegExp(`^${method} .*/${resource}`);
  const ms = 10_000 + dice[2] * 400_000;
  const denied = () => striking(what, Number.POSITIVE_INFINITY, refused(403, 'Forbidden'));
  for (const { onKube } of life.operators) endAfter(context, onKube(denied()), ms);
  hinder(life, ms + takeOverMs);
  life.coverage.note('403', resource);
  return `the operators may not ${method} ${resource} for ${Math.round(ms / 1000)} s`;
};

export const hangWatches: OperatorHappening = (context) => {
  const { life, dice } = context;
  const victim = victimOf(context);
  const what = pick([/./, /secrets/, /deployments|daemonsets/, /vspheredrivers/, /configmaps/], dice[1]);
  const ms = dice[2] * 200_000;
  endAfter(context, victim.hangWatches(what), ms);
  hinder(life, ms + silenceMs + takeOverMs);
  life.coverage.note('watch hang', what.source);
  return `watches ${what.source} of ${victim.identity} hang for ${Math.round(ms / 1000)} s`;
};

export const vcenterAway: OperatorHappening = (context) => {
  const { network } = context.life.story;
  network.up = false;
  const ms = context.dice[0] < 0.3 ? 3_600_000 : context.dice[0] * 300_000;
  const comeBack = () => {
    network.up = true;
  };
  endAfter(context, comeBack, ms);
  return `vCenter is away for ${Math.round(ms / 1000)} s`;
};

export const setClock: OperatorHappening = (context) => {
  const { story } = context.life;
  const { identity } = victimOf(context);
  const ms = (context.dice[1] - 0.3) * 2_400_000;
  story.setAhead(identity, ms);
  context.heal(() => story.setAhead(identity, 0));
  return `the clock of ${identity} is set by ${Math.round(ms / 1000)} s`;
};

const notes = ['vdo-inventory', 'vdo-releases', 'vdo-matrix', 'vdo-spec', 'vdo-places'] as const;
const noteChanged = (life: Life, name: string): void => {
  if (name === 'vdo-releases') life.amnesias += 1;
};
const textOf = (name: string) => (name === 'vdo-inventory' ? 'objects' : 'state');

export const loseNote: OperatorHappening = async ({ life, dice }) => {
  const name = pick(notes, dice[0]);
  noteChanged(life, name);
  return (await life.story.kube.delete(configMaps, { namespace, name })) ? `${name} is lost` : undefined;
};

export const spoilNote: OperatorHappening = async ({ life, dice }) => {
  const name = pick(notes, dice[0]);
  if (!(await life.story.kube.find(configMaps, { namespace, name }))) return undefined;
  noteChanged(life, name);
  const body = { data: { [textOf(name)]: '{"spoilt":' } };
  await life.story.kube.patch(configMaps, { namespace, name }, { type: 'merge', body });
  return `${name} is spoilt`;
};

/** Somebody puts a note back as a backup has it. */
export const oldNote: OperatorHappening = async ({ life, dice }) => {
  const name = pick(notes, dice[0]);
  const backup = life.backups[Math.floor(dice[1] * life.backups.length)];
  const old = backup?.buckets['/configmaps']?.find((one) => one.metadata.name === name);
  if (!old || !(await life.story.kube.find(configMaps, { namespace, name }))) return undefined;
  noteChanged(life, name);
  await life.story.kube.patch(configMaps, { namespace, name }, { type: 'merge', body: { data: old['data'] } });
  return `${name} is put back as it was`;
};
