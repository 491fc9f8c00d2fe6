import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import type { CnsQueryFilter, CnsVolume } from './cns-types.ts';
import { coalesceQueries } from './coalesce-queries.ts';

const volume = (id: string, name = `name-${id}`): CnsVolume => ({
  id,
  name,
  type: 'BLOCK',
  datastoreUrl: '',
  capacityMb: 1n,
  healthStatus: undefined,
  storagePolicyId: undefined,
  containerClusterIds: [],
});

const setUp = (volumes: readonly CnsVolume[]) => {
  const asked: CnsQueryFilter[] = [];
  const query = coalesceQueries(async (filter) => {
    asked.push(filter);
    if (filter.volumeIds?.includes('bad')) throw new Error('refused');
    if (filter.volumeIds?.includes('odd'))
      throw new VdoError({ code: 'VCenterReplyMalformed', message: 'odd', remedy: '' });
    return volumes.filter(
      ({ id, name }) => (filter.volumeIds?.includes(id) ?? true) && (filter.names?.includes(name) ?? true),
    );
  });
  return { asked, query };
};

describe('queries at the same time', () => {
  it('for single ids cost one call, and each gets its own answer', async () => {
    const { asked, query } = setUp([volume('a'), volume('b')]);
    const answers = await Promise.all(['a', 'b', 'c', 'a'].map((id) => query({ volumeIds: [id] })));
    expect(answers.map((found) => found.map(({ id }) => id))).toEqual([['a'], ['b'], [], ['a']]);
    expect(asked).toEqual([{ volumeIds: ['a', 'b', 'c'] }]);
  });

  it('do not suffer from one volume that cannot be read', async () => {
    const { query } = setUp([volume('a'), volume('b')]);
    const answers = await Promise.allSettled(['a', 'odd', 'b'].map((id) => query({ volumeIds: [id] })));
    expect(answers).toMatchObject([
      { status: 'fulfilled', value: [{ id: 'a' }] },
      { status: 'rejected', reason: { code: 'VCenterReplyMalformed' } },
      { status: 'fulfilled', value: [{ id: 'b' }] },
    ]);
  });

  it('for single names of a cluster cost one call; several volumes of one name are all told', async () => {
    const { asked, query } = setUp([volume('a', 'x'), volume('b', 'x'), volume('c', 'y')]);
    const of = (name: string) => query({ names: [name], clusterIds: ['one'] });
    const [x, y] = await Promise.all([of('x'), of('y')]);
    expect([x?.map(({ id }) => id), y?.map(({ id }) => id)]).toEqual([['a', 'b'], ['c']]);
    expect(asked).toEqual([{ names: ['x', 'y'], clusterIds: ['one'] }]);
  });

  it('of other kinds are passed on as they are', async () => {
    const { asked, query } = setUp([volume('a')]);
    await Promise.all([query({ volumeIds: ['a', 'b'] }), query({ clusterIds: ['one'] })]);
    expect(asked).toHaveLength(2);
  });

  it('gather while one is under way, and a failure is only theirs', async () => {
    const { asked, query } = setUp([volume('a')]);
    const failing = query({ volumeIds: ['bad'] });
    await Promise.resolve();
    const later = [query({ volumeIds: ['a'] }), query({ volumeIds: ['b'] })];
    await expect(failing).rejects.toThrow('refused');
    expect((await Promise.all(later)).map((found) => found.length)).toEqual([1, 0]);
    expect(asked).toEqual([{ volumeIds: ['bad'] }, { volumeIds: ['a', 'b'] }]);
  });

  it('end for whoever gives up, not for the others', async () => {
    const { query } = setUp([volume('a')]);
    const impatient = new AbortController();
    const given = query({ volumeIds: ['a'] }, { signal: impatient.signal });
    const other = query({ volumeIds: ['a'] });
    impatient.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    expect(await other).toHaveLength(1);
  });
});
