import { expect, it } from 'vitest';
import { allowManyListeners } from './many-listeners.ts';

it('keeps Node from warning of many listeners of a signal', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  const listen = (signal: AbortSignal) => {
    for (let i = 0; i < 20; i++) signal.addEventListener('abort', () => {});
  };
  try {
    const [shared, other] = [new AbortController().signal, new AbortController().signal];
    allowManyListeners(shared);
    listen(shared);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
    listen(other);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual(['MaxListenersExceededWarning']);
  } finally {
    process.off('warning', onWarning);
  }
});
