import { isVdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import { createConfigMapState } from './config-map-state.ts';
import type { ConfigMap } from './types/core.ts';

const fakeCluster = (data?: Record<string, string>) => {
  const held: { object: ConfigMap | undefined; managers: string[] } = {
    object: data && { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data },
    managers: [],
  };
  const client = {
    find: async () => held.object as never,
    apply: async (_: unknown, object: unknown, { fieldManager }: { fieldManager: string }) => {
      const applied = object as ConfigMap;
      held.object = { ...applied, data: { ...held.object?.data, ...applied.data } };
      held.managers.push(fieldManager);
      return object as never;
    },
  };
  return { held, state: createConfigMapState({ client, namespace: 'ns', name: 'guard', key: 'cpi' }, { count: 0 }) };
};

describe('state in a ConfigMap', () => {
  it('is empty before it was saved, and is loaded as it was saved', async () => {
    const { state } = fakeCluster();
    expect(await state.load()).toEqual({ count: 0 });
    await state.save({ count: 3 });
    expect(await state.load()).toEqual({ count: 3 });
  });

  it('does not change the keys of other programs', async () => {
    const { state, held } = fakeCluster({ csi: '{}' });
    await state.save({ count: 1 });
    expect(held.object?.data).toEqual({ csi: '{}', cpi: '{"count":1}' });
    expect(held.managers).toEqual(['guard-cpi']);
  });

  it('is an error with a remedy if somebody damaged it', async () => {
    const failure = await fakeCluster({ cpi: 'nonsense' })
      .state.load()
      .catch((error: unknown) => error);
    expect(isVdoError(failure, 'ConfigInvalid')).toBe(true);
  });
});
