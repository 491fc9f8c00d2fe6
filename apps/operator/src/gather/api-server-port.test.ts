import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { KubeClient } from '@vdo/kube/client';
import { expect, it } from 'vitest';
import { createApiServerPort } from './api-server-port.ts';

const clock = createVirtualClock();
const { signal } = new AbortController();
const forbidden = new VdoError({ code: 'KubeForbidden', message: 'no', remedy: 'none' });

const portFor = (answer: () => Promise<unknown>) => {
  let asked = 0;
  const find = async () => {
    asked += 1;
    return answer();
  };
  const port = createApiServerPort({ kube: { find } as unknown as KubeClient, clock });
  return { port: () => port({ signal }), asked: () => asked };
};

it.each([
  ['a number', { spec: { ports: [{ targetPort: 16_443 }] } }, 16_443],
  ['a name', { spec: { ports: [{ targetPort: 'https' }] } }, undefined],
  ['nothing', undefined, undefined],
])('is what the Service of the API server says: %s', async (_, service, expected) => {
  expect(await portFor(async () => service).port()).toBe(expected);
});

it('is not known to roles of an earlier release, and every other failure is one', async () => {
  expect(await portFor(() => Promise.reject(forbidden)).port()).toBeUndefined();
  await expect(portFor(() => Promise.reject(new Error('away'))).port()).rejects.toThrow('away');
});

it('is read once an hour', async () => {
  const { port, asked } = portFor(async () => ({ spec: { ports: [{ targetPort: 6443 }] } }));
  for (let minute = 0; minute < 59; minute += 1) {
    await port();
    await clock.advance(60_000);
  }
  expect(asked()).toBe(1);
  await clock.advance(60_000);
  await port();
  expect(asked()).toBe(2);
});
