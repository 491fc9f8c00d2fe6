import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siftGoFlags } from '@vdo/cpi/cli/go-flags';
import { parseCli } from '@vdo/cpi/cli/parse-cli';
import { describe, expect, it } from 'vitest';
import { cpiFlags, csiFeatureStates, csiFeatures, vdoFeatures } from '../../tools/comparison/rows.ts';
import { root } from '../../tools/ledger.mjs';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('a flag of the Go cloud controller manager', () => {
  it.each(Object.entries(cpiFlags))('--%s=%s is taken, accepted with a reason, or refused with one', (name, value) => {
    const given = `--${name}=${value}`;
    const result = parseCli(['--cloud-config', 'vsphere.conf', given], { version: '1' });
    const { ignored, refused } = siftGoFlags([given]);
    if (refused.length > 0)
      expect(result).toMatchObject({ kind: 'exit', text: expect.stringContaining(`--${name} is`) });
    else expect(result).toMatchObject({ kind: 'run', warnings: ignored });
  });
});

describe.each([
  ['feature state of vsphere-csi-driver', csiFeatureStates],
  ['feature of the Go storage driver', csiFeatures],
  ['feature of the former VDO', vdoFeatures],
])('a %s', (_kind, rows) => {
  it.each(rows.map((row) => [row.name, row.answer] as const))('%s is where the table says', (_name, answer) => {
    if ('absent' in answer) expect(read('docs/explanation/not-here.md')).toContain(`\n## ${answer.absent}\n`);
    else {
      const [file, words] = answer.shown;
      expect(existsSync(join(root, file))).toBe(true);
      expect(read(file)).toContain(words);
    }
  });
});
