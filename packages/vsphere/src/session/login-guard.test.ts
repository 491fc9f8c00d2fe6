import { silentLogger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createLoginGuard, createMemoryLoginGuardStore, type LoginGuardState } from './login-guard.ts';

const server = 'vc.example';
const credentials = (version: string, username = 'user@domain') => ({ username, password: 'obviously-fake', version });
const rejection = new VdoError({ code: 'VCenterLoginRejected', message: 'wrong password', remedy: 'Correct it.' });
const minute = 60_000;

const setup = (store = createMemoryLoginGuardStore()) => {
  const clock = createVirtualClock();
  return { clock, store, guard: createLoginGuard({ clock, logger: silentLogger, store }) };
};

describe('rejected credentials', () => {
  it('are not admitted again for 15 minutes, and the error says until when and why', async () => {
    const { guard, clock } = setup();
    await guard.admit(server, credentials('1'));
    await guard.rejected(server, credentials('1'), rejection);
    await clock.advance(14 * minute);
    await expect(guard.admit(server, credentials('1'))).rejects.toMatchObject({
      code: 'VCenterLoginSuspended',
      message:
        'no login as user@domain on vCenter vc.example before 2026-01-01T00:15:00.000Z: vCenter rejected these same credentials, and repeating them would lock the account',
    });
    await clock.advance(minute);
    await expect(guard.admit(server, credentials('1'))).resolves.toBeUndefined();
  });

  it('do not stop a changed Secret, another user or another vCenter', async () => {
    const { guard } = setup();
    await guard.admit(server, credentials('1'));
    await guard.rejected(server, credentials('1'), rejection);
    await guard.admit(server, credentials('2'));
    await guard.admit(server, credentials('1', 'another@domain'));
    await guard.admit('other.example', credentials('1'));
  });

  it('are remembered across restarts, without the password', async () => {
    const { guard, store } = setup();
    await guard.admit(server, credentials('1'));
    await guard.rejected(server, credentials('1'), rejection);
    expect(JSON.stringify(await store.load())).not.toContain('obviously-fake');
    const next = setup(store);
    await expect(next.guard.admit(server, credentials('1'))).rejects.toMatchObject({ code: 'VCenterLoginSuspended' });
  });

  it('are forgotten once a login was accepted', async () => {
    const { guard, store, clock } = setup();
    await guard.admit(server, credentials('1'));
    await guard.rejected(server, credentials('1'), rejection);
    await guard.admit(server, credentials('2'));
    await guard.accepted(server, credentials('2'));
    // When that was is kept: what other programs remember of before counts no more.
    expect(Object.values(await store.load())).toEqual([{ attemptsMs: [], rejected: [], acceptedMs: clock.now() }]);
    await guard.admit(server, credentials('1'));
    await clock.advance(16 * 60_000);
    await guard.accepted(server, credentials('1'));
    expect(await store.load()).toEqual({});
  });

  it('leave nothing behind where there were none', async () => {
    const { guard, store } = setup();
    await guard.admit(server, credentials('1'));
    await guard.accepted(server, credentials('1'));
    expect(await store.load()).toEqual({});
  });
});

describe('failed logins', () => {
  it('stop at four within 180 s, whatever the credentials version', async () => {
    const { guard, clock } = setup();
    for (const version of ['1', '2', '3', '4']) {
      await guard.admit(server, credentials(version));
      await guard.rejected(server, credentials(version), rejection);
      await clock.advance(10_000);
    }
    await expect(guard.admit(server, credentials('5'))).rejects.toMatchObject({
      code: 'VCenterLoginSuspended',
      message: expect.stringContaining('4 logins failed within 180 s'),
    });
    await clock.advance(140_000);
    await expect(guard.admit(server, credentials('5'))).resolves.toBeUndefined();
    await expect(guard.admit(server, credentials('6'))).rejects.toMatchObject({ code: 'VCenterLoginSuspended' });
  });

  it('count also when nobody knows how they ended', async () => {
    const { guard } = setup();
    for (let i = 0; i < 4; i++) await guard.admit(server, credentials('1'));
    await expect(guard.admit(server, credentials('1'))).rejects.toMatchObject({ code: 'VCenterLoginSuspended' });
  });

  it('at the same moment do not slip through together', async () => {
    const { guard } = setup();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => guard.admit(server, credentials('1'))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });

  it('of the future, by a clock that was set back, do not suspend for longer than the window', async () => {
    const clock = createVirtualClock();
    const future = clock.now() + 24 * 60 * minute;
    const state: LoginGuardState = {
      'vc.example user@domain': { attemptsMs: [], rejected: [{ version: '1', atMs: future }] },
    };
    const guard = createLoginGuard({
      clock,
      logger: silentLogger,
      store: { load: async () => state, save: async () => {} },
    });
    await expect(guard.admit(server, credentials('1'))).rejects.toMatchObject({
      message: expect.stringContaining('before 2026-01-01T00:15:00.000Z'),
    });
    await clock.advance(15 * minute);
    await expect(guard.admit(server, credentials('1'))).resolves.toBeUndefined();
  });
});

describe('a store that fails', () => {
  it('does not stop logins, and the guard works from memory', async () => {
    const clock = createVirtualClock();
    const broken = async () => {
      throw new Error('no store');
    };
    const guard = createLoginGuard({ clock, logger: silentLogger, store: { load: broken, save: broken } });
    await guard.admit(server, credentials('1'));
    await guard.rejected(server, credentials('1'), rejection);
    await expect(guard.admit(server, credentials('1'))).rejects.toMatchObject({ code: 'VCenterLoginSuspended' });
  });
});
