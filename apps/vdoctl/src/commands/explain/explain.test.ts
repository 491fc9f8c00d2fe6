import { errorCodes } from '@vdo/base/error-codes';
import { allChecks } from '@vdo/checks/all-checks';
import { describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';

describe('vdoctl explain', () => {
  it('explains a code whatever its case', async () => {
    const { exitCode, out } = await runVdoctl(['explain', 'vcenterthumbprintmismatch']);
    expect(exitCode).toBe(0);
    await expect(out).toMatchFileSnapshot('golden/explain-thumbprint.txt');
  });

  it('knows every error code and every check', async () => {
    const { out } = await runVdoctl(['explain', '-o', 'json']);
    const codes = (JSON.parse(out) as { code: string }[]).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining([...Object.keys(errorCodes), ...allChecks.map(({ id }) => id)]));
  });

  it('guesses what was meant', async () => {
    const { exitCode, err } = await runVdoctl(['explain', 'VCenterLoginReject']);
    expect(exitCode).toBe(2);
    expect(err).toContain('Did you mean VCenterLoginRejected?');
  });
});
