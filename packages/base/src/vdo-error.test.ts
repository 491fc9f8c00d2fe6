import { describe, expect, it } from 'vitest';
import { effectOf, isVdoError, toVdoError, VdoError } from './vdo-error.ts';

const rejected = new VdoError({
  code: 'VCenterLoginRejected',
  message: 'vc1 refused the login',
  remedy: 'Correct the Secret.',
});

describe('VdoError', () => {
  it('uses the retry advice of its code unless the options say otherwise', () => {
    expect(rejected.retry).toBe('on-change');
    expect(new VdoError({ code: 'VCenterLoginRejected', message: 'm', remedy: 'r', retry: 'never' }).retry).toBe(
      'never',
    );
  });

  it('uses the effect of its code unless the options say otherwise', () => {
    expect(rejected.effect).toBe('none');
    expect(effectOf(new VdoError({ code: 'VolumeNotFound', message: 'm', remedy: 'r', effect: 'unknown' }))).toBe(
      'unknown',
    );
  });

  it('treats the effect of a foreign error or an abort as unknown', () => {
    expect(effectOf(new TypeError('x is undefined'))).toBe('unknown');
    expect(effectOf(AbortSignal.abort().reason)).toBe('unknown');
  });

  it('is recognised by code', () => {
    expect(isVdoError(rejected, 'VCenterUnreachable', 'VCenterLoginRejected')).toBe(true);
    expect(isVdoError(rejected, 'VCenterUnreachable')).toBe(false);
    expect(isVdoError(new Error('x'))).toBe(false);
  });

  it('wraps foreign errors as a defect of this project and keeps the cause', () => {
    const cause = new TypeError('x is undefined');
    const wrapped = toVdoError(cause);
    expect(wrapped.code).toBe('Internal');
    expect(wrapped.cause).toBe(cause);
    expect(wrapped.message).toContain('x is undefined');
  });

  it('recognises an abort', () => {
    expect(toVdoError(AbortSignal.abort().reason).code).toBe('Cancelled');
  });
});
