import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, it } from 'vitest';
import { createScriptedSession, serviceContent } from '../testing/scripted-session.ts';
import {
  cancelRetrievePropertiesEx,
  continueRetrievePropertiesEx,
  createFilter,
  createPropertyCollector,
  destroyPropertyCollector,
  retrievePropertiesEx,
  waitForUpdatesEx,
} from '../wire/methods/property.ts';
import { moref } from '../wire/moref.ts';
import { string } from '../wire/schema.ts';
import { createPollLength } from './poll-length.ts';
import { defineProperties } from './properties.ts';
import { retrieveView } from './retrieve.ts';
import { updateStream } from './update-stream.ts';

const endless = {
  code: 'VCenterReplyMalformed',
  message: expect.stringContaining('does not finish sending'),
} as const;

it('a list whose pages never end is given up after ten thousand, and the rest is dropped on the server', async () => {
  const { session, sdk } = createScriptedSession();
  const object = { obj: moref('VirtualMachine', 'vm-1'), propSet: [{ name: 'name', val: 'n' }] };
  let pages = 0;
  let cancelled = 0;
  const page = () => {
    pages += 1;
    return { token: `t${pages}`, objects: [object] };
  };
  sdk
    .on(retrievePropertiesEx, page)
    .on(continueRetrievePropertiesEx, page)
    .on(cancelRetrievePropertiesEx, () => {
      cancelled += 1;
      return undefined;
    });
  const properties = defineProperties('VirtualMachine', { name: string });
  const read = async () => {
    const asked = { properties, view: moref('ContainerView', 'v') };
    for await (const _ of retrieveView(session.vim, asked, { collector: serviceContent.propertyCollector }));
  };
  await expect(read()).rejects.toMatchObject(endless);
  expect(pages).toBe(10_001);
  expect(cancelled).toBe(1);
});

it('updates that are never complete are given up after ten thousand, and the collector is destroyed', async () => {
  const { session, sdk } = createScriptedSession();
  let waits = 0;
  let destroyed = 0;
  sdk
    .on(createPropertyCollector, () => moref('PropertyCollector', 'own'))
    .on(createFilter, () => moref('PropertyFilter', 'f'))
    .on(waitForUpdatesEx, () => {
      waits += 1;
      return { version: String(waits), truncated: true, filterSet: [] };
    })
    .on(destroyPropertyCollector, () => {
      destroyed += 1;
      return undefined;
    });
  const { signal } = new AbortController();
  const watch = async () => {
    const options = { specs: [], signal, clock: createVirtualClock(), length: createPollLength() };
    for await (const { truncated } of updateStream(session, options)) expect(truncated).toBe(true);
  };
  await expect(watch()).rejects.toMatchObject(endless);
  expect(waits).toBe(10_001);
  expect(destroyed).toBe(1);
});
