import { describe, expect, it } from 'vitest';
import { upgradeWindow } from './upgrade-window.ts';

type Day = 'Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun';
const window = (start: string, duration: string, ...days: readonly Day[]) => ({ start, duration, days: [...days] });

describe('upgradeWindow', () => {
  // 2026-11-15 is a Sunday.
  const cases: readonly [string, ReturnType<typeof window> | undefined, string, string | undefined][] = [
    ['no window is always open', undefined, '2026-11-15T03:00:00Z', undefined],
    ['inside', window('02:00', '4h'), '2026-11-15T05:59:59Z', undefined],
    ['at its begin', window('02:00', '4h'), '2026-11-15T02:00:00Z', undefined],
    ['at its end', window('02:00', '4h'), '2026-11-15T06:00:00Z', '2026-11-16T02:00:00.000Z'],
    ['before it', window('02:00', '4h'), '2026-11-15T01:00:00Z', '2026-11-15T02:00:00.000Z'],
    ['on the wrong day', window('02:00', '4h', 'Sat'), '2026-11-15T03:00:00Z', '2026-11-21T02:00:00.000Z'],
    ['after midnight, begun the day before', window('23:00', '4h', 'Sat'), '2026-11-15T02:30:00Z', undefined],
    [
      'after midnight, on the wrong day',
      window('23:00', '4h', 'Sun'),
      '2026-11-15T02:30:00Z',
      '2026-11-15T23:00:00.000Z',
    ],
    ['days long', window('00:00', '48h', 'Fri'), '2026-11-14T12:00:00Z', undefined],
    ['the same day next week', window('02:00', '1h', 'Sun'), '2026-11-15T04:00:00Z', '2026-11-22T02:00:00.000Z'],
  ];
  it.each(cases)('%s', (_name, spec, now, opensAt) => {
    const state = upgradeWindow(spec, new Date(now));
    expect(state).toEqual(opensAt === undefined ? { open: true } : { open: false, opensAt: new Date(opensAt) });
  });
});
