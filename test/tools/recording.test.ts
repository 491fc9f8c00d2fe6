import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const picture = read('docs/images/sandbox.svg');
const recorded = read('tools/recording/sandbox.txt');

describe('the recording at the top of the README', () => {
  it('shows every command that was recorded, and the first line of each output', () => {
    const steps = [...recorded.matchAll(/^\$ (.*)\n(.*)$/gm)];
    expect(steps.length).toBeGreaterThan(4);
    const shown = picture.replaceAll(/<[^>]*>/g, '');
    for (const [, command = '', line = ''] of steps) {
      expect(shown).toContain(command);
      expect(shown).toContain(line);
    }
  });

  it('is small, runs no script, loads nothing, and is made for light, dark and still pages', () => {
    expect(Buffer.byteLength(picture)).toBeLessThan(150_000);
    expect(picture).not.toMatch(/<script|\son\w+=|href|@import|url\(/);
    expect(picture).toContain('prefers-color-scheme:dark');
    expect(picture).toContain('prefers-reduced-motion:reduce');
  });

  it('holds no password and no address of the machine where it was made', () => {
    expect(recorded).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|\/tmp\/|Kubeconfig|Dashboard/);
  });
});
