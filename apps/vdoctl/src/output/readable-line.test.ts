import { describe, expect, it } from 'vitest';
import { readableLine } from './readable-line.ts';

describe('a line of a log for people', () => {
  it.each([
    [
      '{"level":"info","time":"2026-01-01T00:00:00.000Z","name":"vdo-operator","msg":"serving health","url":"http://[::]:8080","count":3}',
      '2026-01-01T00:00:00.000Z INFO  serving health url=http://[::]:8080 count=3',
    ],
    [
      '{"level":"warn","time":"t","msg":"lost","error":{"code":"VCenterUnreachable","message":"no route","stack":"…"},"server":"a b"}',
      't WARN  lost error="VCenterUnreachable: no route" server="a b"',
    ],
    ['panic: not JSON', 'panic: not JSON'],
    ['{"no":"message"}', '{"no":"message"}'],
    ['{broken', '{broken'],
  ])('%s', (line, shown) => expect(readableLine(line)).toBe(shown));
});
