import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Plugin } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/ledger.mjs';
import { bundleText, programName } from '../../tools/simulate/bundle-program.mjs';

const context = { read: [['deploy/crds/one.yaml', 'kind: One']], node: '26.10.0' } as const;
const name = programName('text', context);

// The ledger of `npm run simulate` counts seeds by it: it must change with what is lived, and with nothing else.
describe('the name of a simulated program', () => {
  it('changes with the bundle, with what it reads later, and with the release of Node', () => {
    expect(name).toMatch(/^[0-9a-f]{12} on Node 26$/);
    const others = [
      programName('another text', context),
      programName('text', { ...context, read: [['deploy/crds/one.yaml', 'kind: Two']] }),
      programName('text', { ...context, read: [['deploy/crds/two.yaml', 'kind: One']] }),
      programName('text', { ...context, node: '24.1.0' }),
    ];
    expect(new Set([name, ...others]).size).toBe(5);
    expect(programName('text', { ...context, node: '26.11.1' })).toBe(name);
  });

  it('is the same wherever the repository is, and whatever a comment says', { timeout: 120_000 }, async () => {
    const text = await bundleText('drivers');
    expect(text).not.toContain(root);
    const here = process.cwd();
    process.chdir(tmpdir());
    try {
      expect((await bundleText('drivers')) === text).toBe(true);
    } finally {
      process.chdir(here);
    }
    const edited = (line: string): Plugin => ({
      name: 'edited',
      setup: ({ onLoad }) =>
        onLoad({ filter: /test[\\/]simulate[\\/]coverage\.ts$/ }, ({ path }) => ({
          contents: `${readFileSync(path, 'utf8')}\n${line}\n`,
          loader: 'ts',
        })),
    });
    expect((await bundleText('drivers', [edited('// what a comment says')])) === text).toBe(true);
    expect((await bundleText('drivers', [edited('console.log(1);')])) === text).toBe(false);
  });

  it('of drivers does not change with the operator', { timeout: 120_000 }, async () => {
    expect(await bundleText('drivers')).not.toContain('// apps/operator/');
    expect(await bundleText('operator')).toContain('// apps/operator/');
  });
});
