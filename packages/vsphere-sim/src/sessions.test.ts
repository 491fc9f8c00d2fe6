import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createSessions } from './sessions.ts';

const good = { username: 'admin@vsphere.local', password: 'not-a-real-password', kind: 'soap' } as const;
const bad = { ...good, password: 'wrong' };

const setup = () => {
  const clock = createVirtualClock();
  const sessions = createSessions({ accounts: () => [good], clock, random: createSeededRandom(1) });
  return { clock, sessions };
};

describe('createSessions', () => {
  it.each(['ADMIN@vsphere.local', 'VSPHERE.LOCAL\\admin'])('knows the account as %s', (username) => {
    expect(setup().sessions.login({ ...good, username })?.user).toBe('admin@vsphere.local');
  });

  it('refuses a wrong password and counts it', () => {
    const { sessions } = setup();
    expect(sessions.login(bad)).toBeUndefined();
    expect(sessions.rejected().get('admin@vsphere.local')).toBe(1);
  });

  it('locks the account after five failures within three minutes, and unlocks it later', async () => {
    const { sessions, clock } = setup();
    for (let i = 0; i < 5; i++) sessions.login(bad);
    expect(sessions.login(good)).toBeUndefined();
    await clock.advance(301_000);
    expect(sessions.login(good)).toBeDefined();
  });

  it('does not lock when failures are spread out', async () => {
    const { sessions, clock } = setup();
    for (let i = 0; i < 6; i++) {
      sessions.login(bad);
      await clock.advance(60_000);
    }
    expect(sessions.login(good)).toBeDefined();
  });

  it('ends a session that was idle for half an hour, unless it is used', async () => {
    const { sessions, clock } = setup();
    const token = sessions.login(good)?.token ?? '';
    await clock.advance(29 * 60_000);
    expect(sessions.use(token)).toBeDefined();
    await clock.advance(29 * 60_000);
    expect(sessions.use(token)).toBeDefined();
    await clock.advance(31 * 60_000);
    expect(sessions.use(token)).toBeUndefined();
    expect(sessions.list()).toEqual([]);
  });

  it('is not idle while a call is in progress', async () => {
    const { sessions, clock } = setup();
    const token = sessions.login(good)?.token ?? '';
    const release = sessions.hold(token);
    await clock.advance(3 * 60 * 60_000);
    release();
    await clock.advance(29 * 60_000);
    expect(sessions.find(token)).toBeDefined();
    await clock.advance(2 * 60_000);
    expect(sessions.find(token)).toBeUndefined();
  });

  it('reports the end of a session to listeners, once', () => {
    const { sessions } = setup();
    const ended: string[] = [];
    sessions.onEnd((session) => ended.push(session.key));
    const session = sessions.login(good);
    sessions.expire('other@vsphere.local');
    expect(ended).toEqual([]);
    sessions.expire();
    sessions.logout(session?.token ?? '');
    expect(ended).toEqual([session?.key]);
  });
});
