import { describe, expect, it } from 'vitest';
import { ScriptedFault } from '../testing/scripted-sdk.ts';
import { createScriptedSession, serviceContent } from '../testing/scripted-session.ts';
import {
  cancelRetrievePropertiesEx,
  continueRetrievePropertiesEx,
  retrieveProperties,
  retrievePropertiesEx,
} from '../wire/methods/property.ts';
import { moref } from '../wire/moref.ts';
import { string } from '../wire/schema.ts';
import { defineProperties } from './properties.ts';
import { retrieveAtOnce, retrieveObjects, retrieveView } from './retrieve.ts';

const properties = defineProperties('VirtualMachine', { name: string, 'config.uuid': string });
const vm = (i: number) => moref('VirtualMachine', `vm-${i}`);
const content = (i: number) => ({ obj: vm(i), propSet: [{ name: 'name', val: `n${i}` }] });
const collector = serviceContent.propertyCollector;

describe('retrieving', () => {
  it('follows pages to the end', async () => {
    const { session, sdk } = createScriptedSession();
    sdk
      .on(retrievePropertiesEx, ({ options }) => {
        expect(options.maxObjects).toBe(2);
        return { token: 'a', objects: [content(0), content(1)] };
      })
      .on(continueRetrievePropertiesEx, ({ token }) =>
        token === 'a' ? { token: 'b', objects: [content(2), content(3)] } : { objects: [content(4)] },
      );
    const names: (string | undefined)[] = [];
    const view = moref('ContainerView', 'v');
    for await (const { values } of retrieveView(session.vim, { properties, view }, { collector, pageSize: 2 }))
      names.push(values.name);
    expect(names).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  });

  it('that stops early drops the rest on the server', async () => {
    const { session, sdk } = createScriptedSession();
    sdk
      .on(retrievePropertiesEx, () => ({ token: 'a', objects: [content(0)] }))
      .on(cancelRetrievePropertiesEx, () => undefined);
    const view = moref('ContainerView', 'v');
    for await (const { values } of retrieveView(session.vim, { properties, view }, { collector })) {
      expect(values.name).toBe('n0');
      break;
    }
    expect(sdk.calls.at(-1)).toMatchObject({ method: 'CancelRetrievePropertiesEx', args: { token: 'a' } });
  });

  it('of nothing asks nothing, and an empty answer is empty', async () => {
    const { session, sdk } = createScriptedSession();
    sdk.on(retrievePropertiesEx, () => undefined);
    expect(await retrieveObjects(session.vim, { properties, refs: [] }, { collector })).toEqual([]);
    expect(sdk.calls).toEqual([]);
    expect(await retrieveObjects(session.vim, { properties, refs: [vm(1)] }, { collector })).toEqual([]);
  });

  it('finds the objects that are left when some vanished', async () => {
    const { session, sdk } = createScriptedSession();
    const gone = new Set(['vm-3', 'vm-7']);
    sdk.on(retrievePropertiesEx, ({ specSet }) => {
      const refs = specSet?.[0]?.objectSet?.map(({ obj }) => obj) ?? [];
      const missing = refs.find(({ value }) => gone.has(value));
      if (missing) throw new ScriptedFault({ $type: 'ManagedObjectNotFound', ...{ obj: missing } });
      return { objects: refs.map((obj) => ({ obj })) };
    });
    const refs = Array.from({ length: 10 }, (_, i) => vm(i));
    const found = await retrieveObjects(session.vim, { properties, refs }, { collector });
    expect(found.map(({ ref }) => ref.value)).toEqual(
      refs.map(({ value }) => value).filter((value) => !gone.has(value)),
    );
  });

  it('tells which properties were refused', async () => {
    const { session, sdk } = createScriptedSession();
    const missingSet = [{ path: 'config.uuid', fault: { fault: { $type: 'NoPermission' } } }];
    sdk.on(retrievePropertiesEx, () => ({ objects: [{ ...content(1), missingSet }] }));
    const [found] = await retrieveObjects(session.vim, { properties, refs: [vm(1)] }, { collector });
    expect(found?.values).toEqual({ name: 'n1' });
    expect(found?.refused).toEqual(new Map([['config.uuid', 'NoPermission']]));
  });
});

describe('retrieving at once', () => {
  const refs = Array.from({ length: 10 }, (_, i) => vm(i));
  const convert = ({ ref }: { readonly ref: { readonly value: string } }): string => ref.value;
  const request = { properties, refs, convert };
  const names = refs.map(({ value }) => value);

  it('takes one call per batch, and keeps what is made of each object', async () => {
    const { session, sdk } = createScriptedSession();
    sdk.on(retrieveProperties, ({ specSet }) => (specSet?.[0]?.objectSet ?? []).map(({ obj }) => ({ obj })));
    expect(await retrieveAtOnce(session.vim, request, { collector, batchSize: 5 })).toEqual(names);
    expect(sdk.calls.filter(({ method }) => method === 'RetrieveProperties')).toHaveLength(2);
  });

  it('leaves out what has vanished', async () => {
    const { session, sdk } = createScriptedSession();
    sdk.on(retrieveProperties, ({ specSet }) => {
      const asked = specSet?.[0]?.objectSet?.map(({ obj }) => obj) ?? [];
      const missing = asked.find(({ value }) => value === 'vm-3');
      if (missing) throw new ScriptedFault({ $type: 'ManagedObjectNotFound', ...{ obj: missing } });
      return asked.map((obj) => ({ obj }));
    });
    expect(await retrieveAtOnce(session.vim, request, { collector, batchSize: 5 })).toEqual(
      names.filter((name) => name !== 'vm-3'),
    );
  });

  it('logs in anew when the session was lost, which the property collector tells of each property', async () => {
    const { session, sdk } = createScriptedSession();
    const missingSet = [{ path: 'name', fault: { fault: { $type: 'NotAuthenticated' } } }];
    let lost = true;
    sdk.on(retrieveProperties, ({ specSet }) => {
      const objects = (specSet?.[0]?.objectSet ?? []).map(({ obj }) => ({ obj, ...(lost ? { missingSet } : {}) }));
      lost = false;
      return objects;
    });
    expect(await retrieveAtOnce(session.vim, request, { collector, batchSize: 10 })).toEqual(names);
    expect(sdk.calls.filter(({ method }) => method === 'Login')).toHaveLength(2);
  });
});
