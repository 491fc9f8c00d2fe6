import { HttpFailure } from '@vdo/base/http-failure';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { applyBefore, createFaultRules, type FaultEffect, type FaultRule } from './fault-rules.ts';

const drop: FaultEffect = { kind: 'drop', when: 'before' };
const strikes = (rule: FaultRule, calls: readonly string[], user?: string) => {
  const rules = createFaultRules(createSeededRandom(1));
  rules.add(rule);
  return calls.map((method) => rules.strike({ method, target: 'vm-1', user }).length);
};

describe('createFaultRules', () => {
  it.each([
    ['one method', { method: 'Login', effect: drop }, ['Login', 'Logout'], [1, 0]],
    ['a prefix', { method: 'Cns*', effect: drop }, ['CnsCreateVolume', 'Login'], [1, 0]],
    ['everything', { method: '*', effect: drop }, ['CnsCreateVolume', 'Login'], [1, 1]],
    ['after some have passed', { method: '*', skip: 1, effect: drop }, ['a', 'b', 'c'], [0, 1, 1]],
    ['a number of times', { method: '*', times: 2, effect: drop }, ['a', 'b', 'c'], [1, 1, 0]],
    ['one target', { method: '*', target: 'vm-2', effect: drop }, ['a'], [0]],
    ['one user', { method: '*', user: 'Joe@x', effect: drop }, ['a'], [1]],
    ['never with probability 0', { method: '*', probability: 0, effect: drop }, ['a', 'b'], [0, 0]],
  ] as const)('strikes %s', (_name, rule, calls, expected) => {
    expect(strikes(rule, calls, 'joe@x')).toEqual(expected);
  });

  it('ignores a removed rule', () => {
    const rules = createFaultRules(createSeededRandom(1));
    const remove = rules.add({ method: '*', effect: drop });
    remove();
    expect(rules.strike({ method: 'a', target: undefined, user: undefined })).toEqual([]);
  });
});

describe('applyBefore', () => {
  const setup = () => ({ clock: createVirtualClock(), expired: 0 });

  it('waits on the clock', async () => {
    const { clock } = setup();
    let done = false;
    const waiting = applyBefore([{ kind: 'latency', ms: 50 }], { clock, expireSession: () => {} }).then(() => {
      done = true;
    });
    await clock.advance(49);
    expect(done).toBe(false);
    await clock.advance(1);
    await waiting;
    expect(done).toBe(true);
  });

  it('breaks the connection, throws the fault, or ends the session', async () => {
    const context = setup();
    const options = { clock: context.clock, expireSession: () => context.expired++ };
    await expect(applyBefore([drop], options)).rejects.toBeInstanceOf(HttpFailure);
    await expect(applyBefore([{ kind: 'fault', fault: { $type: 'HostCommunication' } }], options)).rejects.toThrow(
      'HostCommunication (injected)',
    );
    await applyBefore([{ kind: 'expire-session' }], options);
    expect(context.expired).toBe(1);
  });
});
