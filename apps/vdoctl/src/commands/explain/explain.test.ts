import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCodes } from '@vdo/base/error-codes';
import { allChecks } from '@vdo/checks/all-checks';
import { healthWords } from '@vdo/config/api/health';
import { conditionTypes } from '@vdo/config/api/vsphere-drivers-status';
import { describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
/** Reasons as the programs write them: `reason: 'X'`, `reason: a ? 'X' : 'Y'`, `yes('X', …)`, `note(node, 'X', …)`. */
const reasonsInSources = (): readonly string[] => {
  const folders = [
    'packages/checks/src',
    'apps/operator/src/decisions',
    'apps/operator/src/reconcile.ts',
    'apps/cpi/src',
    'apps/csi/src/loops',
  ];
  const listed = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' }).split('\n');
  const sources = listed.filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file));
  const places = [
    /\breason: [^,;\n]*/g,
    /\b(?:yes|no|unknown)\('[A-Z]\w+'/g,
    /\bnote\(\w+, '[A-Z]\w+'/g,
    /\b(?:tell|fail)\(\s*'[A-Z]\w+'/g,
  ];
  const words = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return places.flatMap((place) =>
      [...text.matchAll(place)].flatMap(([part]) => part.match(/(?<=')[A-Z][A-Za-z]+(?=')/g) ?? []),
    );
  });
  return [...new Set(words)].sort();
};

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

  it('explains every word of the status, and lists what has a part of a name', async () => {
    for (const word of [...healthWords, ...conditionTypes, 'DiskUuidDisabled', 'RollingOut', 'ProvisioningFailed'])
      expect(await runVdoctl(['explain', word])).toMatchObject({
        exitCode: 0,
        out: expect.stringContaining(`${word} (`),
      });
    const { out } = await runVdoctl(['explain', 'datastore']);
    expect(out).toContain('storage/datastore-accessible');
    expect(out).toContain('DatastoreFull');
    const degraded = await runVdoctl(['explain', 'degraded', '-o', 'json']);
    expect(JSON.parse(degraded.out).map(({ kind }: { kind: string }) => kind)).toEqual(['health', 'condition']);
  });

  it('knows every reason that the sources give to conditions, checks and events', async () => {
    const { out } = await runVdoctl(['explain', '-o', 'json']);
    const known = new Set((JSON.parse(out) as { code: string }[]).map(({ code }) => code));
    const words = reasonsInSources();
    expect(words.length).toBeGreaterThan(100);
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  });

  it('knows the ids that checks had before', async () => {
    const [former, today] = await Promise.all(['ND/vm-found', 'node/vm-found'].map((id) => runVdoctl(['explain', id])));
    expect(today).toMatchObject({ exitCode: 0, out: expect.stringContaining('node/vm-found') });
    expect(former).toEqual(today);
  });

  it('guesses what was meant', async () => {
    const { exitCode, err } = await runVdoctl(['explain', 'VCenterLoginRejcted']);
    expect(exitCode).toBe(2);
    expect(err).toContain('Did you mean VCenterLoginRejected?');
  });
});
