import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCodes } from '@vdo/base/error-codes';
import { allChecks } from '@vdo/checks/all-checks';
import { healthWords } from '@vdo/config/api/health';
import { conditionTypes } from '@vdo/config/api/vsphere-drivers-status';
import { describe, expect, it } from 'vitest';
import { checkReasons } from '../../shared/words/check-reasons.ts';
import { runVdoctl } from '../../testing/run-vdoctl.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const tracked = (...paths: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', ...paths], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What runs in a cluster or on a workstation; not tests, simulators and the sandbox, which play Kubernetes and vCenter. */
const sources = (): readonly string[] =>
  tracked('packages', 'apps')
    .filter((file) => file.endsWith('.ts'))
    .filter(
      (file) => !/\.test\.ts$|\/testing\/|^packages\/(vsphere-sim|kube-sim|sim-world)\/|^apps\/sandbox\//.test(file),
    );

/** All that a pattern finds in these files: its group, or every quoted word of the match. */
const wordsIn = (files: readonly string[], patterns: readonly RegExp[]): readonly string[] => {
  const found = files.flatMap((file) => {
    const text = textOf(file);
    return patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(([part, word]) =>
        word ? [word] : (part.match(/(?<=')[A-Z][A-Za-z]+(?=')/g) ?? []),
      ),
    );
  });
  return [...new Set(found)].sort();
};

/** Reasons as the programs write them: `reason: 'X'`, `reason: a ? 'X' : 'Y'`, `yes('X', …)`, `note(node, 'X', …)`. */
const reasonsInSources = (): readonly string[] =>
  wordsIn(sources(), [
    /\breason: [^,;\n]*/g,
    /\b(?:yes|no|unknown)\(\s*'[A-Z]\w+'/g,
    /\bnote\(\w+, '[A-Z]\w+'/g,
    /\b(?:tell|fail)\(\s*'[A-Z]\w+'/g,
  ]);

const knownWords = async (): Promise<ReadonlySet<string>> => {
  const { out } = await runVdoctl(['explain', '-o', 'name']);
  return new Set(out.split('\n').filter(Boolean));
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

  it.each([
    ['reason of a condition, check or event', 120, reasonsInSources],
    ['metric', 25, () => wordsIn(sources(), [/\bname: '([a-z]+(?:_[a-z0-9]+)+)',?\s+help: /g])],
    ['alert', 9, () => wordsIn(['deploy/monitoring/prometheus.yaml'], [/- alert: (\w+)/g])],
    // The test bed of the golden files has a condition of its own making, and an event.
    [
      'word of what is printed',
      8,
      () =>
        wordsIn(
          tracked('apps', 'packages', 'test').filter((file) => file.includes('/golden/')),
          [/"reason": "([A-Z]\w+)"/g, /vdoctl explain ([A-Z]\w*[a-z]\w*|[a-z]+\/[a-z-]+)/g],
        ).filter((word) => !['Test', 'Upgraded'].includes(word)),
    ],
    [
      'word that texts tell people to explain',
      2,
      () => wordsIn([...sources(), ...tracked('docs')], [/vdoctl explain ([A-Z]\w*[a-z]\w*|[a-z]+\/[a-z-]+)/g]),
    ],
  ] as const)('knows every %s', async (_what, atLeast, read) => {
    const words = read();
    expect(words.length).toBeGreaterThanOrEqual(atLeast);
    const known = await knownWords();
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  });

  it('explains in whole sentences, without Markdown', async () => {
    const { out } = await runVdoctl(['explain', '-o', 'json']);
    const all = JSON.parse(out) as { code: string; meaning: string; remedy: string }[];
    const texts = all.flatMap(({ code, meaning, remedy }) => [
      { code, text: meaning },
      { code, text: remedy },
    ]);
    expect(texts.length).toBeGreaterThan(500);
    const count = (text: string, sign: string) => text.split(sign).length;
    const poor = texts.filter(
      ({ text }) =>
        !/[.)]$/.test(text) ||
        /\]\(|\.\.\/|\*\*/.test(text) ||
        count(text, '(') !== count(text, ')') ||
        count(text, '`') % 2 === 0,
    );
    expect(poor).toEqual([]);
  });

  it('explains each reason of a check by itself, and names every check that gives it', async () => {
    const files = tracked('packages/checks/src').filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
    const given = new Set(wordsIn(files, [/\breason: [^,;\n]*/g]));
    const known = Object.entries(checkReasons);
    expect(known.length).toBeGreaterThan(70);
    const ids = new Set<string>(allChecks.map(({ id }) => id));
    expect(known.flatMap(([, { checks }]) => checks).filter((id) => !ids.has(id))).toEqual([]);
    const ofKubelet = known.filter(([, { checks }]) => checks.includes('versions/image-pull')).map(([code]) => code);
    expect(known.map(([code]) => code).filter((code) => !given.has(code) && !ofKubelet.includes(code))).toEqual([]);
    expect(new Set(known.map(([, { meaning }]) => meaning)).size).toBe(known.length);
    const { out } = await runVdoctl(['explain', 'PrivilegeMissing']);
    for (const id of ['root', 'node-vms', 'datastores', 'file-services']) expect(out).toContain(`privileges/${id}`);
  });

  it('finds a word by any part of it, however it is written', async () => {
    for (const part of ['thumbprint-mismatch', 'Thumbprint Mismatch', 'thumbprintmismatch'])
      expect((await runVdoctl(['explain', part])).out).toMatch(/^VCenterThumbprintMismatch \(error\)/);
    expect(await runVdoctl(['explain', 'disk', '-o', 'name'])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('node/disk-enable-uuid\n'),
    });
  });

  it('knows the ids that checks had before', async () => {
    const [old, today] = await Promise.all(['ND/vm-found', 'node/vm-found'].map((id) => runVdoctl(['explain', id])));
    expect(today).toMatchObject({ exitCode: 0, out: expect.stringContaining('node/vm-found') });
    expect(old).toEqual(today);
  });

  it('guesses what was meant', async () => {
    const { exitCode, err } = await runVdoctl(['explain', 'VCenterLoginRejcted']);
    expect(exitCode).toBe(2);
    expect(err).toContain('Did you mean VCenterLoginRejected?');
  });
});
