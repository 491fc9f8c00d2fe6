import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMap, thing, thingDefinition } from '../testing/builders.ts';
import { createTestServer } from '../testing/raw-client.ts';
import { keepSnapshot, readSnapshot } from './snapshot-folder.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const things = '/apis/example.com/v1/namespaces/default/things';

describe('a cluster that is stored in a folder', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('is the same after a restart, and its versions continue', async () => {
    const first = createTestServer();
    const stopping = new AbortController();
    const options = { store: first.sim.store, folder, clock: createSystemClock(), everyMs: 10 };
    const kept = keepSnapshot(options, stopping.signal);
    await first.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', thingDefinition({ type: 'object' }));
    await first.post(things, thing('t'));
    const { metadata } = (await first.post(maps, configMap('m', { a: 'b' }))).body;
    stopping.abort();
    await kept;

    const snapshot = await readSnapshot(folder);
    const second = createTestServer(snapshot && { snapshot });
    const found = (await second.get(`${maps}/m`)).body;
    expect(found).toMatchObject({ data: { a: 'b' }, metadata: { uid: metadata.uid } });
    expect(found.metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect((await second.get(`${things}/t`)).status).toBe(200);
    // An earlier watch continues from its version; nothing is reported twice.
    const { next, close } = await second.watch(`${maps}?watch=1&resourceVersion=${snapshot?.revision}`);
    const { resourceVersion } = (await second.post(maps, configMap('n'))).body.metadata;
    expect(Number(resourceVersion)).toBe((snapshot?.revision ?? 0) + 1);
    expect(await next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'n' } } });
    close();
  });

  test('is written while the server runs, not only at its end', async () => {
    const server = createTestServer();
    const stopping = new AbortController();
    const kept = keepSnapshot({ store: server.sim.store, folder, clock: server.clock }, stopping.signal);
    await server.post(maps, configMap('m'));
    await expect
      .poll(async () => {
        await server.clock.advance(1_000);
        return (await readSnapshot(folder))?.buckets['/configmaps']?.length;
      })
      .toBe(1);
    stopping.abort();
    await kept;
  });

  test('is empty if the folder is empty, and refused if a file is damaged', async () => {
    expect(await readSnapshot(join(folder, 'absent'))).toBeUndefined();
    for (const broken of ['{"revision": 3', '{"revision": 3}', '[]']) {
      await writeFile(join(folder, 'cluster.json'), broken);
      await expect(readSnapshot(folder)).rejects.toMatchObject({ code: 'ConfigInvalid' });
    }
  });
});
