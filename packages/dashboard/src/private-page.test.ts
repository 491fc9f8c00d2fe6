import { readBody } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createPrivatePage } from './private-page.ts';

const page = createPrivatePage({
  source: { current: () => ({ secret: 'model' }) as never, onChange: () => () => undefined },
  clock: createVirtualClock(),
  random: createSeededRandom(1),
});
const ask = async (path: string, host = '127.0.0.1:1234') => {
  const { status, body } = await page.handler({ method: 'GET', path, headers: { host } });
  return { status, text: (await readBody(body)).toString() };
};

describe('the page on a port that everybody of the machine reaches', () => {
  it('is shown to who knows its path', async () => {
    expect(await ask(`${page.path}model`)).toEqual({ status: 200, text: '{"secret":"model"}' });
    expect((await ask(page.path, 'localhost:1234')).status).toBe(200);
    expect((await ask(page.path.slice(0, -1), '[::1]:1234')).status).toBe(308);
  });

  it.each(['/', '/model', '/stream', '/dashboard.css', `/x/..${page.path}model`, '//', '/%2e'])(
    'is shown to nobody else: %s',
    async (path) => {
      const { status, text } = await ask(path);
      expect(status).toBe(401);
      expect(text).not.toContain('secret');
    },
  );

  it('answers under no name that somebody else may have given this machine', async () => {
    for (const host of ['evil.example', 'evil.example:1234', '127.0.0.1.evil.example', '', 'localhost.evil.example:80'])
      expect((await ask(`${page.path}model`, host)).status).toBe(421);
  });
});
