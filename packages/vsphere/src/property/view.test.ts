import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, it } from 'vitest';
import { ScriptedFault } from '../testing/scripted-sdk.ts';
import { createScriptedSession, serviceContent } from '../testing/scripted-session.ts';
import {
  createContainerView,
  createFilter,
  createPropertyCollector,
  destroyPropertyCollector,
  destroyView,
  retrievePropertiesEx,
  waitForUpdatesEx,
} from '../wire/methods/property.ts';
import { type MoRef, moref } from '../wire/moref.ts';
import { string } from '../wire/schema.ts';
import { createPollLength } from './poll-length.ts';
import { defineProperties } from './properties.ts';
import { retrieveView } from './retrieve.ts';
import { watchedViewSpec } from './specs.ts';
import { updateStream } from './update-stream.ts';
import { withContainerView } from './view.ts';

const properties = defineProperties('Datastore', { name: string });
const { rootFolder: container, propertyCollector: collector } = serviceContent;

/** A vCenter that has forgotten the first `times` views when they are read. */
const forgetful = (times: number) => {
  const { session, sdk } = createScriptedSession();
  let made = 0;
  sdk
    .on(createContainerView, () => {
      made += 1;
      return moref('ContainerView', `view-${made}`);
    })
    .on(retrievePropertiesEx, ({ specSet = [] }) => {
      const [spec] = specSet;
      const gone = { $type: 'ManagedObjectNotFound', obj: spec?.objectSet?.[0]?.obj };
      // Asked to report what is missing, vCenter gives an empty reply instead.
      if (made <= times && spec?.reportMissingObjectsInResults) return { objects: [] };
      if (made <= times) throw new ScriptedFault(gone, 'the view is gone');
      return { objects: [{ obj: moref('Datastore', 'datastore-1'), propSet: [{ name: 'name', val: 'shared' }] }] };
    })
    .on(destroyView, () => undefined);
  const read = async (view: MoRef): Promise<readonly string[]> => {
    const names: string[] = [];
    for await (const { values } of retrieveView(session.vim, { properties, view }, { collector }))
      names.push(values.name ?? '');
    return names;
  };
  return { read: () => withContainerView(session, { container, types: ['Datastore'] }, read), made: () => made };
};

it('a view that went with its session is made and read anew', async () => {
  const { read, made } = forgetful(1);
  expect(await read()).toEqual(['shared']);
  expect(made()).toBe(2);
});

it('one that goes again and again is a failure, never an empty inventory', async () => {
  const { read } = forgetful(9);
  await expect(read()).rejects.toMatchObject({ code: 'VCenterSessionLost', retry: 'backoff' });
});

it('a watch of a view that is gone ends, so that it is begun anew', async () => {
  const { session, sdk } = createScriptedSession();
  const view = moref('ListView', 'view-1');
  sdk
    .on(createPropertyCollector, () => moref('PropertyCollector', 'own'))
    .on(createFilter, () => moref('PropertyFilter', 'f'))
    .on(waitForUpdatesEx, () => {
      const missing = { obj: view, fault: { fault: { $type: 'ManagedObjectNotFound' }, localizedMessage: '' } };
      const filter = moref('PropertyFilter', 'f');
      return { version: '1', filterSet: [{ filter, objectSet: [], missingSet: [missing] }] };
    })
    .on(destroyPropertyCollector, () => undefined);
  const { signal } = new AbortController();
  const specs = [watchedViewSpec(properties, view)];
  const options = { specs, signal, clock: createVirtualClock(), length: createPollLength() };
  const first = updateStream(session, options).next();
  await expect(first).rejects.toMatchObject({ code: 'VCenterSessionLost' });
});
