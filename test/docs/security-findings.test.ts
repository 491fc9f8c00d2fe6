import { describe, expect, it } from 'vitest';
import { exists, read } from './repository.ts';

const page = read('docs/explanation/security-findings.md');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| finding'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

describe('docs/explanation/security-findings.md', () => {
  it('has every finding with an attack, a test and a file', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([]);
  });

  it.each(rows.map((cells) => [cells[0] ?? '', cells] as const))('names a test that is there: %s', (_, cells) => {
    const [, , title = '', cell = ''] = cells;
    const file = /^`([^`]+\.test\.ts)`$/.exec(cell)?.[1] ?? '';
    expect(exists(file), file).toBe(true);
    // As the name of a test, or the end of it: on a line with a quote, behind which its function begins.
    const lines = read(file)
      .split('\n')
      .filter((line) => line.includes(title));
    expect(
      lines.some((line) => /['"`][^'"`]*['"`],? ?/.test(line)),
      `${title} in ${file}`,
    ).toBe(true);
  });
});
