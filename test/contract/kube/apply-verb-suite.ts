import { configMaps } from '@vdo/kube/types/core';
import { type Deployment, deployments } from '@vdo/kube/types/workloads';
import { describe, expect, test } from 'vitest';
import { type Bench, configMap, createConfigMap } from './kube-target.ts';

const deployment = (
  namespace: string,
  containers: readonly { name: string; image: string; env?: AnyEnv }[],
): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace, name: 'web' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
  },
});
type AnyEnv = readonly { readonly name: string; readonly value?: string }[];

/** Server-side apply: who owns which field. */
export const applyVerbSuite = (bench: () => Bench): void => {
  describe('server-side apply', () => {
    test('creates, changes, and removes what is no longer applied, but not what others own', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const created = await client.apply(configMaps, configMap(ns, 'a', { x: '1', y: '1' }), { fieldManager: 'one' });
      expect(created.metadata.managedFields).toMatchObject([{ manager: 'one', operation: 'Apply' }]);
      await client.apply(configMaps, configMap(ns, 'a', { z: '1' }), { fieldManager: 'two' });
      const changed = await client.apply(configMaps, configMap(ns, 'a', { x: '2' }), { fieldManager: 'one' });
      expect(changed.data).toEqual({ x: '2', z: '1' });
    });

    test('applied twice is one version', async () => {
      const { client, namespace } = bench();
      const object = configMap(await namespace(), 'a', { x: '1' });
      const first = await client.apply(configMaps, object, { fieldManager: 'one' });
      const second = await client.apply(configMaps, object, { fieldManager: 'one' });
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    });

    test('a conflict names the manager and the field, and force takes the field over', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      await client.apply(configMaps, configMap(ns, 'a', { x: '1' }), { fieldManager: 'one' });
      const claim = configMap(ns, 'a', { x: '2' });
      const conflict = client.apply(configMaps, claim, { fieldManager: 'two' });
      await expect(conflict).rejects.toMatchObject({
        code: 'KubeFieldConflict',
        details: { managers: ['one'], fields: ['.data.x'] },
      });
      const forced = await client.apply(configMaps, claim, { fieldManager: 'two', force: true });
      expect(forced.data).toEqual({ x: '2' });
      const again = client.apply(configMaps, configMap(ns, 'a', { x: '1' }), { fieldManager: 'one' });
      await expect(again).rejects.toMatchObject({ code: 'KubeFieldConflict' });
    });

    test('the same value may have two owners, and goes with the last', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      for (const fieldManager of ['one', 'two'])
        await client.apply(configMaps, configMap(ns, 'a', { x: '1' }), { fieldManager });
      expect((await client.apply(configMaps, configMap(ns, 'a'), { fieldManager: 'one' })).data).toEqual({ x: '1' });
      expect((await client.apply(configMaps, configMap(ns, 'a'), { fieldManager: 'two' })).data ?? {}).toEqual({});
    });

    test('an update by hand owns what it changes', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      await client.apply(configMaps, configMap(ns, 'a', { x: '1' }), { fieldManager: 'one' });
      const body = { data: { x: 'by hand' } };
      await client.patch(
        configMaps,
        { namespace: ns, name: 'a' },
        { type: 'merge', body },
        { fieldManager: 'kubectl-edit' },
      );
      const repair = client.apply(configMaps, configMap(ns, 'a', { x: '1' }), { fieldManager: 'one' });
      await expect(repair).rejects.toMatchObject({ details: { managers: ['kubectl-edit'] } });
    });

    test('lists of containers and variables are merged by name', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const mine = { name: 'main', image: 'none.test/main:1', env: [{ name: 'A', value: '1' }] };
      await client.apply(deployments, deployment(ns, [mine]), { fieldManager: 'one' });
      const sidecar = { name: 'sidecar', image: 'none.test/sidecar:1' };
      const theirs = { name: 'main', image: 'none.test/main:1', env: [{ name: 'B', value: '2' }] };
      await client.apply(deployments, deployment(ns, [theirs, sidecar]), { fieldManager: 'two' });
      const upgraded = { ...mine, image: 'none.test/main:2', env: [] };
      const result = await client.apply(deployments, deployment(ns, [upgraded]), { fieldManager: 'one', force: true });
      const { containers } = result.spec.template.spec;
      expect(containers.map(({ name, image }) => [name, image])).toEqual([
        ['main', 'none.test/main:2'],
        ['sidecar', 'none.test/sidecar:1'],
      ]);
      expect(containers[0]?.env).toEqual([{ name: 'B', value: '2' }]);
    });

    test('a change that cannot be made is refused as invalid', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const web = deployment(ns, [{ name: 'main', image: 'none.test/main:1' }]);
      await client.apply(deployments, web, { fieldManager: 'one' });
      const labels = { app: 'other' };
      const template = { ...web.spec.template, metadata: { labels } };
      const moved = { ...web, spec: { ...web.spec, selector: { matchLabels: labels }, template } };
      const refused = client.apply(deployments, moved, { fieldManager: 'one', force: true });
      await expect(refused).rejects.toMatchObject({
        code: 'KubeInvalid',
        message: expect.stringContaining('immutable'),
      });
    });

    test('a dry run tells the result and leaves no trace', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const before = await createConfigMap(client, ns, 'a', { x: '1' });
      const dry = { fieldManager: 'one', force: true, dryRun: true };
      expect((await client.apply(configMaps, configMap(ns, 'a', { x: '2' }), dry)).data).toEqual({ x: '2' });
      expect(await client.get(configMaps, { namespace: ns, name: 'a' })).toEqual(before);
    });
  });
};
