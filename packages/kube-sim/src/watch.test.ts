import { describe, expect, test } from 'vitest';
import { configMap } from './testing/builders.ts';
import { createTestServer, type WatchedLine } from './testing/raw-client.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const summary = (line: WatchedLine | undefined) =>
  line && `${line.type} ${line.object.metadata.name ?? line.object.metadata.resourceVersion}`;

describe('watch', () => {
  test('sends the existing objects, then every change', async () => {
    const { post, put, delete: remove, watch } = createTestServer();
    const first = (await post(maps, configMap('a'))).body;
    const stream = await watch(`${maps}?watch=true`);
    expect(summary(await stream.next())).toBe('ADDED a');
    await put(`${maps}/a`, { ...first, data: { x: 'y' } });
    await remove(`${maps}/a`);
    expect(summary(await stream.next())).toBe('MODIFIED a');
    expect(summary(await stream.next())).toBe('DELETED a');
  });

  test('resumes after a resource version without a gap', async () => {
    const { post, watch } = createTestServer();
    const { resourceVersion } = (await post(maps, configMap('a'))).body.metadata;
    await post(maps, configMap('b'));
    const stream = await watch(`${maps}?watch=true&resourceVersion=${resourceVersion}`);
    await post(maps, configMap('c'));
    expect([summary(await stream.next()), summary(await stream.next())]).toEqual(['ADDED b', 'ADDED c']);
  });

  test('a selector turns changes into ADDED and DELETED', async () => {
    const { post, patch, watch } = createTestServer();
    await post(maps, configMap('a'));
    const stream = await watch(`${maps}?watch=true&labelSelector=seen`);
    await patch(`${maps}/a`, 'merge', { metadata: { labels: { seen: 'yes' } } });
    await patch(`${maps}/a`, 'merge', { data: { x: 'y' } });
    await patch(`${maps}/a`, 'merge', { metadata: { labels: null } });
    expect([summary(await stream.next()), summary(await stream.next()), summary(await stream.next())]).toEqual([
      'ADDED a',
      'MODIFIED a',
      'DELETED a',
    ]);
  });

  test('a compacted version is answered with one 410', async () => {
    const { post, watch, sim } = createTestServer();
    await post(maps, configMap('a'));
    await post(maps, configMap('b'));
    sim.store.compact();
    const stream = await watch(`${maps}?watch=true&resourceVersion=2`);
    expect(await stream.next()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect(await stream.next()).toBeUndefined();
  });

  test('a running watch survives compaction', async () => {
    const { post, watch, sim } = createTestServer();
    const stream = await watch(`${maps}?watch=true`);
    await post(maps, configMap('a'));
    sim.store.compact();
    await post(maps, configMap('b'));
    expect([summary(await stream.next()), summary(await stream.next())]).toEqual(['ADDED a', 'ADDED b']);
  });

  test('an idle watch gets bookmarks, which know of other resources only what a list has shown', async () => {
    const { clock, get, post, watch, sim } = createTestServer();
    const stream = await watch(`${maps}?watch=true&allowWatchBookmarks=true`);
    const begun = String(sim.store.revision());
    const bookmarkAfterAMinute = async () => {
      const line = stream.next();
      await clock.advance(60_000);
      return (await line)?.object.metadata.resourceVersion;
    };
    await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    expect(await bookmarkAfterAMinute()).toBe(begun);
    await get(`${maps}?fieldSelector=metadata.name=none`);
    expect(await bookmarkAfterAMinute()).toBe(String(sim.store.revision()));
    expect(Number(begun)).toBeLessThan(sim.store.revision());
  });

  test.each([
    ['gets a bookmark two seconds before its time is up', 3, 1_000, 'BOOKMARK'],
    ['of less than two seconds gets none', 1, 1_000, undefined],
  ])('a watch %s', async (_, timeoutSeconds, advanceMs, expected) => {
    const { clock, watch } = createTestServer();
    const stream = await watch(`${maps}?watch=true&allowWatchBookmarks=true&timeoutSeconds=${timeoutSeconds}`);
    const line = stream.next();
    await clock.advance(advanceMs);
    expect((await line)?.type).toBe(expected);
    const end = stream.next();
    await clock.advance(2_000);
    expect(await end).toBeUndefined();
  });

  test('initial events end with a marked bookmark', async () => {
    const { post, watch } = createTestServer();
    await post(maps, configMap('a'));
    const stream = await watch(
      `${maps}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
    );
    expect(summary(await stream.next())).toBe('ADDED a');
    expect(await stream.next()).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
  });

  test('ends at its timeout', async () => {
    const { clock, watch } = createTestServer();
    const stream = await watch(`${maps}?watch=true&timeoutSeconds=5`);
    const line = stream.next();
    await clock.advance(5_000);
    expect(await line).toBeUndefined();
  });

  test('breaks when the server closes it, and when the reader leaves', async () => {
    const { watch, sim } = createTestServer();
    const dropped = (await watch(`${maps}?watch=true`)).next();
    sim.dropWatches();
    await expect(dropped).rejects.toThrow('connection broke');
    const left = await watch(`${maps}?watch=true`);
    const line = left.next();
    left.close();
    await expect(line).rejects.toThrow('the test leaves');
  });

  test('a version in the future is refused', async () => {
    const { get } = createTestServer();
    expect((await get(`${maps}?watch=true&resourceVersion=99999`)).body).toMatchObject({
      code: 504,
      reason: 'Timeout',
    });
  });
});
