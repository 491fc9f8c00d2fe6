import type { HttpRequest } from '@vdo/base/http';
import { configMaps } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { nameOf, outage, type Trouble } from '../troubles.ts';
import { both, fromConfigMap } from './matrices.ts';
import { account, namespace, openOperatorStory } from './operator-world.ts';

const controller = { namespace, name: 'vsphere-csi-controller' };
const isLease = (request: HttpRequest) => /\/leases(\/|$)/.test(nameOf(request));
// Events tell what happened, and the memory of rejected logins keeps an account from being locked: both are true whoever leads.
const isFree = (request: HttpRequest) => /\/events(\/|$)|\/vsphere-login-guard$/.test(nameOf(request));
const isWrite = (request: HttpRequest) => request.method !== 'GET' && !isLease(request) && !isFree(request);
/** Longer than a Lease lasts. */
const suspendedMs = 20_000;

// Issue 17, 10.
describe('an operator whose machine was suspended longer than its Lease lasts', () => {
  it('sends nothing that it was about to write, whatever it was', async () => {
    const story = await openOperatorStory();
    const wokenMidway: string[] = [];
    const stray: string[] = [];
    let callsOfTerm = 0;
    let terms = 0;
    let behindMs = 0;
    let isLost = false;
    const operator = story.start();
    let writesOfTerm = 0;
    // Of two terms, one is suspended after its 3n-th call and one after its first or second write: by and by that is between
    // any two of them.
    const isMoment = (request: HttpRequest): boolean => {
      callsOfTerm += 1;
      if (isWrite(request)) writesOfTerm += 1;
      return terms % 2 === 0
        ? callsOfTerm === 3 * (terms + 1)
        : isWrite(request) && writesOfTerm === 1 + ((terms >> 1) % 2);
    };
    operator.onKube(async (request, next) => {
      if (isLost && isWrite(request)) stray.push(nameOf(request));
      const reply = await next(request);
      if (isLease(request) && isLost) {
        isLost = false;
        callsOfTerm = 0;
        writesOfTerm = 0;
        terms += 1;
        // Each term has something to write.
        void story.describe({ csi: { replicas: 1 + (terms % 2) } });
      } else if (!isLost && !isLease(request) && terms < 40 && isMoment(request)) {
        isLost = true;
        wokenMidway.push(nameOf(request));
        behindMs += suspendedMs;
        story.setAhead('operator-1', behindMs);
      }
      return reply;
    });
    await story.putSecret(account);
    await story.describe();
    await story.until('all terms', async () => terms === 40 || stray.length > 0, 30_000);
    expect(stray).toEqual([]);
    await story.becomes('Ready', 'True', 'AllReady');
    expect(stray).toEqual([]);
    // It was met while it read and while it wrote.
    expect(wokenMidway.map((name) => name.split(' ')[0])).toEqual(expect.arrayContaining(['GET', 'PATCH']));
  });
});

/** Keeps the requests that match on their way until they are let go. */
const delayed = (what: RegExp) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late: number[] = [];
  const trouble: Trouble = async (request, next) => {
    if (!what.test(nameOf(request))) return next(request);
    await released;
    // What is on its way is not called back by whoever sent it.
    const { signal: _, ...sent } = request;
    const reply = await next(sent);
    late.push(reply.status);
    return reply;
  };
  return { trouble, late, release: () => release() };
};

/** A leader is cut off with a write on its way, and another finishes the upgrade. Then the write arrives. */
const arrivingLate = async (what: RegExp) => {
  const story = await openOperatorStory();
  const first = story.start('operator-1');
  await story.publish(1, both('1.0.0'));
  await story.install({ updates: fromConfigMap });
  const { trouble, late, release } = delayed(what);
  first.onKube(trouble);
  await story.publish(2, both('1.0.0', '1.0.1'));
  await story.until('the write to be on its way', async () => story.calls.some(({ name }) => what.test(name)));
  await story.advance(5_000);
  first.onKube(outage(/leases/));
  await story.advance(30_000);
  story.start('operator-2');
  await story.until(
    'both upgrades to end',
    async () => {
      const drivers = ((await story.drivers())?.status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
      return drivers.length === 2 && drivers.every(({ version, target }) => version === '1.0.1' && !target);
    },
    6_000,
  );
  await story.becomes('Ready', 'True', 'AllReady');
  await story.advance(30_000);
  return { story, late, release };
};

// Issue 17, 10.
describe('a write of a former leader that arrives late', () => {
  it('does not change the status', async () => {
    const { story, late, release } = await arrivingLate(/^PATCH .*\/vspheredrivers\/cluster\/status$/);
    const before = (await story.drivers())?.status;
    release();
    await story.until('it to arrive', async () => late.length > 0);
    expect(late).toEqual([409]);
    expect((await story.drivers())?.status).toEqual(before);
  });

  it('does not change the inventory', async () => {
    const key = { namespace, name: 'vdo-inventory' };
    const story = await openOperatorStory();
    const first = story.start('operator-1');
    await story.install({ csi: undefined });
    const { trouble, late, release } = delayed(/^PATCH .*\/configmaps\/vdo-inventory$/);
    first.onKube(trouble);
    await story.describe();
    await story.advance(5_000);
    first.onKube(outage(/leases/));
    await story.advance(30_000);
    story.start('operator-2');
    await story.until('storage to come', () => story.kube.find(deployments, controller));
    await story.becomes('Ready', 'True', 'AllReady');
    await story.advance(30_000);
    const before = await story.kube.get(configMaps, key);
    release();
    await story.until('it to arrive', async () => late.length > 0);
    expect(late).toEqual([409]);
    expect((await story.kube.get(configMaps, key)).data).toEqual(before.data);
  });

  it('is undone if it brought back an old template', async () => {
    const { story, late, release } = await arrivingLate(/^PATCH .*\/deployments\/vsphere-csi-controller$/);
    const imageOf = async () => (await story.kube.get(deployments, controller)).spec.template.spec.containers[0]?.image;
    const before = await imageOf();
    release();
    await story.until('it to arrive', async () => late.length > 0);
    await story.until('the template to be as before', async () => (await imageOf()) === before);
    await story.becomes('Ready', 'True', 'AllReady');
  });
});
