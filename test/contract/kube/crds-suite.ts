import { sampleDefinition, type Thing } from '@vdo/kube/testing/sample-crd';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import type { Resource } from '@vdo/kube/types/resource';
import { describe, expect, test } from 'vitest';
import { type Bench, eventually, uniqueName } from './kube-target.ts';

/** Custom resources: what a definition made from a zod schema does to its objects. */
export const crdsSuite = (bench: () => Bench): void => {
  const install = async (): Promise<{ things: Resource<Thing>; thing: (spec: Thing['spec']) => Thing }> => {
    const { client } = bench();
    const { resource, crd, thing } = sampleDefinition(`${uniqueName('g')}.contract.test`);
    await client.create(customResourceDefinitions, crd);
    await eventually(() =>
      client.list(resource).then(
        () => true,
        () => false,
      ),
    );
    return { things: resource, thing: (spec) => thing('it', spec) };
  };

  describe('custom resources', () => {
    test('get their defaults, lose what is unknown, and are refused by name of the field', async () => {
      const { client } = bench();
      const { things, thing } = await install();
      const created = await client.create(things, thing({ size: 2, nonsense: true, servers: [{ host: 'a' }] }));
      expect(created.spec).toEqual({
        size: 2,
        color: 'red',
        nested: { retries: 3 },
        servers: [{ host: 'a', port: 443 }],
      });
      for (const [spec, field] of [
        [{ size: 0 }, 'spec.size'],
        [{}, 'spec.size'],
        [{ size: 1, color: 'blue' }, 'spec.color'],
        [{ size: 1, servers: [{ host: '' }] }, 'spec.servers[0].host'],
        [{ size: 'two' }, 'spec.size'],
      ] as const) {
        const refused = client.create(things, { ...thing(spec), metadata: { name: 'refused' } });
        await expect(refused).rejects.toMatchObject({ code: 'KubeInvalid', message: expect.stringContaining(field) });
      }
    });

    test('have a status apart from the rest, and a generation that counts changes of the rest', async () => {
      const { client } = bench();
      const { things, thing } = await install();
      const created = await client.create(things, { ...thing({ size: 1 }), status: { phase: 'ignored' } });
      expect(created.status).toBeUndefined();
      expect(created.metadata.generation).toBe(1);
      const body = { status: { phase: 'Ready', observedGeneration: 1 }, spec: { size: 9 } };
      const status = await client.patch(things, { name: 'it' }, { type: 'merge', body }, { subresource: 'status' });
      expect(status).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' }, metadata: { generation: 1 } });
      const changed = await client.patch(
        things,
        { name: 'it' },
        { type: 'merge', body: { spec: { size: 5 }, status: { phase: 'x' } } },
      );
      expect(changed).toMatchObject({ spec: { size: 5 }, status: { phase: 'Ready' }, metadata: { generation: 2 } });
    });

    test('are applied server-side', async () => {
      const { client } = bench();
      const { things, thing } = await install();
      await client.apply(things, thing({ size: 1, labels: { a: '1' } }), { fieldManager: 'one' });
      const theirs = { ...thing({ labels: { b: '2' } }) };
      await client.apply(things, theirs, { fieldManager: 'two' });
      const result = await client.apply(things, thing({ size: 2 }), { fieldManager: 'one' });
      expect(result.spec).toMatchObject({ size: 2, labels: { b: '2' } });
      const conflict = client.apply(things, thing({ size: 3 }), { fieldManager: 'two' });
      await expect(conflict).rejects.toMatchObject({ code: 'KubeFieldConflict', details: { fields: ['.spec.size'] } });
    });

    test('are found by kind as soon as they are served, and go with their definition', async () => {
      const { client } = bench();
      const { things, thing } = await install();
      await client.create(things, thing({ size: 1 }));
      await eventually(() =>
        client.resourceFor(`${things.group}/v1`, 'Thing').then(
          () => true,
          () => false,
        ),
      );
      expect(await client.resourceFor(`${things.group}/v1`, 'Thing')).toEqual(things);
      const name = `things.${things.group}`;
      await client.delete(customResourceDefinitions, { name });
      await eventually(async () => !(await client.find(customResourceDefinitions, { name })));
      await eventually(() =>
        client.list(things).then(
          () => false,
          (error) => error.code === 'KubeResourceMissing',
        ),
      );
    });
  });
};
