import { silentLogger } from '@vdo/base/logger';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import { createSimWorld } from '@vdo/sim-world/create-sim-world';
import { seedCrds, seedNamespaces } from '@vdo/sim-world/seed';
import { moref } from '@vdo/vsphere/wire/moref';
import { afterEach, describe, expect, it } from 'vitest';
import { createKubeIntentStore } from './kube-intent-store.ts';
import type { VolumeIntent } from './volume-intent.ts';

const namespace = 'vmware-system-csi';
const signal = new AbortController().signal;
const intent: VolumeIntent = {
  name: 'pvc-1',
  server: 'vc.example.com',
  instanceUuid: 'vc-1',
  sizeMb: 1024n,
  askedAtMs: 0,
  claim: { namespace: 'default', name: 'data', uid: 'uid-1' },
};
const task = moref('Task', 'task-7');

let world: ReturnType<typeof createSimWorld> | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const open = async () => {
  world = createSimWorld();
  const { client: kube } = world;
  await seedNamespaces(kube, namespace);
  await seedCrds(kube, 'vdo.vmware.com_volumeintents.yaml');
  return { kube, store: () => createKubeIntentStore({ kube, namespace, logger: silentLogger }) };
};

describe('a store of intents', () => {
  it('keeps what is put into it, and changes what it has put', async () => {
    const { store } = await open();
    const own = store();
    await own.put(intent, { signal });
    await own.put({ ...intent, task }, { signal });
    expect(await store().get('pvc-1', { signal })).toEqual({ ...intent, task });
    await own.put({ ...intent, handedOver: 'disk-1' }, { signal });
    expect(await store().get('pvc-1', { signal })).toEqual({ ...intent, handedOver: 'disk-1' });
  });

  it('does not undo the hand-over of another process by a note that comes late', async () => {
    const { store } = await open();
    const [former, next] = [store(), store()];
    await former.put(intent, { signal });
    const found = await next.get('pvc-1', { signal });
    await next.put({ ...(found ?? intent), handedOver: 'disk-1' }, { signal });
    await expect(former.put({ ...intent, task }, { signal })).rejects.toMatchObject({ code: 'KubeConflict' });
    await expect(former.put({ ...intent, task }, { signal })).rejects.toMatchObject({ code: 'KubeConflict' });
    expect(await next.get('pvc-1', { signal })).toMatchObject({ handedOver: 'disk-1' });
    // Whoever looks first may write.
    const seen = await former.get('pvc-1', { signal });
    await former.put({ ...(seen ?? intent), handedOver: 'disk-2' }, { signal });
    expect(await next.get('pvc-1', { signal })).toMatchObject({ handedOver: 'disk-2' });
  });

  it('may be asked for the same name again after it was removed', async () => {
    const { store } = await open();
    const own = store();
    await own.put(intent, { signal });
    await own.remove('pvc-1', { signal });
    await own.put(intent, { signal });
    expect(await own.list({ signal })).toEqual([intent]);
  });

  it('refuses to go on where the definition of an earlier release drops what it needs', async () => {
    const { kube, store } = await open();
    const name = 'volumeintents.vdo.vmware.com';
    const { spec } = await kube.get<CustomResourceDefinition>(customResourceDefinitions, { name });
    const versions = JSON.parse(JSON.stringify(spec.versions)) as {
      schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } };
    }[];
    for (const { schema } of versions)
      for (const field of ['claim', 'instanceUuid', 'volumeId'])
        delete schema.openAPIV3Schema.properties.spec.properties[field];
    await kube.patch(customResourceDefinitions, { name }, { type: 'merge', body: { spec: { versions } } });
    await expect(store().put(intent, { signal })).rejects.toMatchObject({
      code: 'DefinitionOutdated',
      message: expect.stringMatching(/is too old: it drops (instanceUuid|claim) of volume pvc-1/),
      remedy: expect.stringContaining('vdo.vmware.com_volumeintents.yaml'),
    });
  });
});
