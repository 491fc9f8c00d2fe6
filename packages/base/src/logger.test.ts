import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { VdoError } from './vdo-error.ts';

const recording = (level: 'debug' | 'info' = 'info') => {
  const lines: Record<string, unknown>[] = [];
  return { lines, logger: createLogger({ name: 'test', level, write: (line) => lines.push(JSON.parse(line)) }) };
};

describe('logger', () => {
  it('writes one JSON object per line with the fields of its parents', () => {
    const { lines, logger } = recording();
    logger.child({ node: 'n1' }).info('node initialized', { addresses: 2 });
    expect(lines[0]).toMatchObject({ level: 'info', app: 'test', msg: 'node initialized', node: 'n1', addresses: 2 });
  });

  it('shows code and remedy of an error, and hides secrets in it', () => {
    const { lines, logger } = recording();
    logger.error('login failed', {
      error: new VdoError({
        code: 'VCenterLoginRejected',
        message: 'https://u:hunter2@vc refused',
        remedy: 'Correct the Secret.',
        details: { password: 'hunter2' },
      }),
    });
    expect(lines[0]?.error).toMatchObject({ code: 'VCenterLoginRejected', remedy: 'Correct the Secret.' });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('leaves out lines below its level', () => {
    const { lines, logger } = recording();
    logger.debug('noise');
    expect(lines).toEqual([]);
  });
});
