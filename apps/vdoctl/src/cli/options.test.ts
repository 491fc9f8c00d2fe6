import { describe, expect, it } from 'vitest';
import { durationOption, parseDuration } from './options.ts';

describe('a length of time', () => {
  it.each([
    ['90s', 90],
    ['5m', 300],
    ['1h30m', 5400],
    // As Go programs write two hours.
    ['2h0m0s', 7200],
  ])('reads %s', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it('asks for the unit of a number alone', () => {
    expect(() => parseDuration('90')).toThrow('the unit is missing; write 90s, 90m or 90h');
  });

  it.each(['', '0', '0s', 'm', '5 m', '-5m', '1m1h', '5d', 'soon'])('refuses %j', (text) => {
    expect(() => parseDuration(text)).toThrow(/such as 90s/);
  });

  it.each([
    [90, '90s'],
    [300, '5m'],
    [86_400, '24h'],
  ])('shows a default of %d seconds as %s', (seconds, text) => {
    expect(durationOption(seconds)).toMatchObject({ default: seconds, defaultText: text });
  });
});
