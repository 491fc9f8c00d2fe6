import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createPatience } from './patience.ts';

const start = (interactive: boolean) => {
  const clock = createVirtualClock();
  let reported = '';
  const terminal = {
    out: () => undefined,
    err: (text: string) => {
      reported += text;
    },
    interactive,
    outIsTerminal: interactive,
    columns: 80,
    rows: 24,
    readInput: async () => '',
  };
  const patience = createPatience({ clock, terminal, env: { TERM: 'xterm' } });
  patience.waitsFor('https://10.0.0.1:6443');
  return { clock, patience, reported: () => reported };
};

describe('waiting for a server', () => {
  it('says nothing of what is answered within a second', async () => {
    const { clock, patience, reported } = start(true);
    const ended = patience.onRequest();
    await clock.advance(900);
    ended('answered');
    await clock.advance(5_000);
    expect(reported()).toBe('');
  });

  it('says what it waits for and how long, and takes it back', async () => {
    const { clock, patience, reported } = start(true);
    const first = patience.onRequest();
    await clock.advance(1_500);
    expect(reported()).toContain('waiting for https://10.0.0.1:6443, 1s');
    // Tried again: that is one wait.
    first('failed');
    const second = patience.onRequest();
    await clock.advance(3_000);
    expect(reported()).toContain('waiting for https://10.0.0.1:6443, 4s');
    second('answered');
    const before = reported();
    expect(before.endsWith('\r\u001b[K')).toBe(true);
    await clock.advance(10_000);
    expect(reported()).toBe(before);
  });

  it('tells nobody but a person', async () => {
    const { clock, patience, reported } = start(false);
    patience.onRequest();
    await clock.advance(10_000);
    patience.end();
    expect(reported()).toBe('');
  });
});
