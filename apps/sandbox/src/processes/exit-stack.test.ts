import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createExitStack } from './exit-stack.ts';

describe('what is undone at the exit', () => {
  it('is undone from the last to the first, without what was forgotten and in spite of what fails', () => {
    const host = new EventEmitter();
    const done: string[] = [];
    const atExit = createExitStack(host as unknown as NodeJS.Process);
    atExit(() => done.push('first'));
    const forget = atExit(() => done.push('forgotten'));
    atExit(() => {
      throw new Error('no');
    });
    atExit(() => done.push('last'));
    forget();
    host.emit('exit');
    expect(done).toEqual(['last', 'first']);
  });
});
