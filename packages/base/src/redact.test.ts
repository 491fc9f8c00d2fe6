import { describe, expect, it } from 'vitest';
import { redactText, redactValue } from './redact.ts';

describe('redaction', () => {
  const leaks: [string, string][] = [
    ['a SOAP login', '<userName>a@b</userName><password>hunter2</password>'],
    ['a SOAP login with a prefix', '<vim:password xsi:type="xsd:string">hunter2</vim:password>'],
    ['a session cookie', 'Cookie: vmware_soap_session="hunter2"; Path=/'],
    ['a REST session', 'vmware-api-session-id: hunter2'],
    ['a bearer token', 'Authorization: Bearer hunter2hunter2'],
    ['URL user info', 'https://administrator:hunter2@vc.example/sdk'],
    ['an INI password', 'user = "x"\npassword = "hunter2"\nport = 443'],
    ['a YAML password', 'vcenter:\n  password: hunter2\n  port: 443'],
    ['a Secret key by server', 'vc.example.password: hunter2'],
  ];
  it.each(leaks)('hides the secret of %s', (_, text) => {
    expect(redactText(text)).not.toContain('hunter2');
  });

  it('keeps what is not secret', () => {
    expect(redactText('user = "x"\npassword = "hunter2"\nport = 443')).toContain('port = 443');
    expect(redactText('the password of vc1 was rejected')).toBe('the password of vc1 was rejected');
  });

  const attacks: [string, string][] = [
    ['spaces after a header', `authorization${' '.repeat(100_000)}x`],
    ['spaces after a scheme', `authorization: bearer${' '.repeat(100_000)}`],
    ['headers in a row', 'authorization '.repeat(8_000)],
    ['spaces after a session', `vmware-api-session-id${' '.repeat(100_000)}`],
    ['empty lines', `${'\n'.repeat(100_000)}x`],
    ['carriage returns', `${'\r'.repeat(100_000)}x`],
    ['elements that never end', '<password '.repeat(10_000)],
    ['schemes', 'a-'.repeat(50_000)],
    ['user names without a host', 'a://b:c'.repeat(14_000)],
    ['keys without a value', 'password'.repeat(12_000)],
  ];
  // Each of them took minutes, or never ended, when patterns could start again at every character.
  it.each(attacks)('takes no time over %s', (_, text) => {
    expect(redactText(text).length).toBeGreaterThan(0);
  });

  it('hides values by key, at any depth, and leaves the object alone', () => {
    const value = { server: 'vc1', auth: { username: 'u', password: 'hunter2' }, list: [{ token: 'hunter2' }] };
    expect(redactValue(value)).toEqual({
      server: 'vc1',
      auth: { username: 'u', password: '[redacted]' },
      list: [{ token: '[redacted]' }],
    });
    expect(value.auth.password).toBe('hunter2');
  });
});
