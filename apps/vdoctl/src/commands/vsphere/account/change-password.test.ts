import { describe, expect, it } from 'vitest';
import { changePassword } from './change-password.ts';

const kept = { username: 'vdo@vsphere.local', password: 'old-and-fake' };
const next = { ...kept, password: 'new-and-fake' };
const { signal } = new AbortController();

const admin = (broken?: 'tryOut' | 'write') => {
  const done: string[] = [];
  const step = (name: 'tryOut' | 'write') => async () => {
    if (broken === name) throw new Error(`${name} failed`);
    done.push(name);
  };
  const sso = {
    resetPassword: async (_name: string, password: string) => {
      done.push(`vCenter has ${password}`);
    },
  };
  const place = {
    name: 'Secret',
    shown: false,
    read: async () => kept,
    tryOut: step('tryOut'),
    write: step('write'),
  };
  return { done, change: () => changePassword(sso, place, { next, kept, signal }) };
};

describe('changePassword', () => {
  it('tries the Secret out, changes vCenter, then the Secret', async () => {
    const { done, change } = admin();
    await change();
    expect(done).toEqual(['tryOut', 'vCenter has new-and-fake', 'write']);
  });

  it('leaves vCenter alone if the Secret cannot be written', async () => {
    const { done, change } = admin('tryOut');
    await expect(change()).rejects.toThrow('tryOut failed');
    expect(done).toEqual([]);
  });

  it('puts the old password back if the Secret fails after all', async () => {
    const { done, change } = admin('write');
    await expect(change()).rejects.toThrow('write failed');
    expect(done.at(-1)).toBe('vCenter has old-and-fake');
  });
});
