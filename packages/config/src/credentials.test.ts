import { isVdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import { decodeSecretData, findAccount, readAccount } from './credentials.ts';

const account = { username: 'k8s@vsphere.local', password: 'fake "p:ä#; \\ss' };

describe('findAccount', () => {
  const cases: readonly [string, Record<string, string>, string][] = [
    [
      'reads keys that begin with the server',
      { 'vc.example.com.username': account.username, 'vc.example.com.password': account.password },
      'vc.example.com',
    ],
    [
      'reads keys of a server written in another case',
      { 'VC.example.com.username': account.username, 'VC.example.com.password': account.password },
      'vc.Example.com',
    ],
    [
      'reads numbered keys, which an IPv6 server needs',
      { server_a: 'fd01::1', username_a: account.username, password_a: account.password },
      'fd01::1',
    ],
    ['reads plain keys of a Secret for one vCenter', { ...account }, 'vc.example.com'],
    [
      'prefers the keys of the server to plain ones',
      {
        username: 'other@vsphere.local',
        password: 'other',
        'vc.username': account.username,
        'vc.password': account.password,
      },
      'vc',
    ],
    [
      'cuts a trailing line break',
      { username: `${account.username}\n`, password: `${account.password}\r\n` },
      'vc.example.com',
    ],
  ];
  it.each(cases)('%s', (_name, data, server) => {
    expect(findAccount(data, server).account).toEqual(account);
  });

  it('reports keys that ended with a line break', () => {
    expect(findAccount({ username: 'a@b', password: 'x\n' }, 'vc').trailingNewlineKeys).toEqual(['password']);
  });

  it('keeps spaces around a password, because they may be intended', () => {
    expect(findAccount({ username: 'a@b', password: ' x ' }, 'vc').account?.password).toBe(' x ');
  });

  it('reports the missing half of a pair in the spelling of the other half', () => {
    expect(findAccount({ 'vc.username': 'a@b' }, 'vc').missingKeys).toEqual(['vc.password']);
    expect(findAccount({ server_1: 'fd01::1', password_1: 'x' }, 'fd01::1').missingKeys).toEqual(['username_1']);
  });

  it('does not use the account of another server', () => {
    const data = { 'vc1.example.com.username': 'a@b', 'vc1.example.com.password': 'x' };
    expect(findAccount(data, 'example.com').account).toBeUndefined();
    expect(findAccount(data, 'vc2.example.com').missingKeys).toEqual([
      'vc2.example.com.username',
      'vc2.example.com.password',
    ]);
  });
});

describe('readAccount', () => {
  it('fails with the keys to add and the existing keys, without any value', () => {
    const data = { usernane: 'a@b', password: 'do-not-show' };
    const read = () => readAccount({ data, server: 'vc', source: 'Secret vmware-system-vdo/vcenter' });
    expect(read).toThrow(expect.objectContaining({ code: 'SecretKeysMissing' }));
    try {
      read();
    } catch (error) {
      expect(isVdoError(error) && error.message).toContain('username missing or empty; it has password, usernane');
      expect(JSON.stringify(error)).not.toContain('do-not-show');
    }
  });
});

describe('decodeSecretData', () => {
  it('decodes base64 as UTF-8', () => {
    expect(decodeSecretData({ password: Buffer.from('pä€').toString('base64') })).toEqual({ password: 'pä€' });
    expect(decodeSecretData(undefined)).toEqual({});
  });
});
