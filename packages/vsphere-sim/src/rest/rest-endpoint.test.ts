import { readBody } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createVSphereSim } from '../create-vsphere-sim.ts';
import { demoModel } from '../demo-model.ts';

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const administrator = basic('administrator@vsphere.local:obviously-fake');

const setup = async () => {
  const clock = createVirtualClock();
  const sim = createVSphereSim({ model: demoModel(), clock, random: createSeededRandom(7) });
  const send = async (
    method: string,
    path: string,
    options: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ) => {
    const reply = await sim.handler({
      method,
      path,
      headers: options.headers ?? {},
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const text = (await readBody(reply.body)).toString('utf8');
    return { status: reply.status, json: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) };
  };
  const loginAs = async (account: Readonly<Record<string, string>>) => {
    const { json } = await send('POST', '/rest/com/vmware/cis/session', { headers: account });
    return { 'vmware-api-session-id': String(json?.['value']) };
  };
  const headers = await loginAs(administrator);
  const rest = (method: string, path: string, body?: unknown) =>
    send(method, `/rest/com/vmware/cis/tagging${path}`, { headers, body });
  return { sim, clock, send, loginAs, headers, rest };
};

describe('REST sessions', () => {
  it('opens one with a name and a password, at the old and at the new path', async () => {
    const { send } = await setup();
    const old = await send('POST', '/rest/com/vmware/cis/session', { headers: administrator });
    expect([old.status, typeof old.json?.['value']]).toEqual([200, 'string']);
    const young = await send('POST', '/api/session', { headers: administrator });
    expect([young.status, typeof young.json]).toEqual([201, 'string']);
  });

  it.each([
    ['a wrong password', basic('administrator@vsphere.local:wrong')],
    ['no credentials', {}],
    ['a header that is none', { authorization: 'Basic !!' }],
  ])('refuses %s', async (_name, headers) => {
    const { send } = await setup();
    expect(await send('POST', '/api/session', { headers })).toMatchObject({
      status: 401,
      json: { error_type: 'UNAUTHENTICATED' },
    });
  });

  it('ends with logout and with expiry', async () => {
    const { send, headers, sim, loginAs } = await setup();
    expect(await send('POST', '/rest/com/vmware/cis/session?~action=get', { headers })).toMatchObject({
      status: 200,
      json: { value: { user: 'administrator@vsphere.local' } },
    });
    expect((await send('DELETE', '/api/session', { headers })).status).toBe(204);
    expect((await send('GET', '/api/session', { headers })).status).toBe(401);
    const again = await loginAs(administrator);
    sim.control.expireSessions();
    expect((await send('GET', '/api/session', { headers: again })).status).toBe(401);
  });
});

describe('REST tagging', () => {
  it('returns the tags of many objects at once', async () => {
    const { sim, rest } = await setup();
    const ids = ['demo', 'compute-a', 'compute-b', 'esx-a1.demo.example']
      .map((name) => sim.control.find(name))
      .map(({ type, value }) => ({ type, id: value }));
    const { json } = await rest('POST', '/tag-association?~action=list-attached-tags-on-objects', { object_ids: ids });
    const found = json?.['value'] as { object_id: { id: string }; tag_ids: string[] }[];
    const names = await Promise.all(
      found.map(async ({ object_id, tag_ids }) => {
        const tag = (await rest('GET', `/tag/id:${tag_ids[0]}`)).json?.['value'] as {
          name: string;
          category_id: string;
        };
        const category = (await rest('GET', `/category/id:${tag.category_id}`)).json?.['value'] as { name: string };
        return [object_id.id, category.name, tag.name];
      }),
    );
    expect(names).toEqual([
      [ids[0]?.id, 'k8s-region', 'region-1'],
      [ids[1]?.id, 'k8s-zone', 'zone-a'],
      [ids[2]?.id, 'k8s-zone', 'zone-b'],
    ]);
  });

  it('creates, attaches, lists, detaches and deletes', async () => {
    const { sim, rest } = await setup();
    const { type, value } = sim.control.find('node-1');
    const object_id = { type, id: value };
    const category = (
      await rest('POST', '/category', {
        create_spec: { name: 'owner', description: '', cardinality: 'SINGLE', associable_types: [] },
      })
    ).json?.['value'];
    const tags = await Promise.all(
      ['blue', 'green'].map(
        async (name) =>
          (await rest('POST', '/tag', { create_spec: { name, description: '', category_id: category } })).json?.[
            'value'
          ],
      ),
    );
    expect((await rest('POST', `/tag-association/id:${tags[0]}?~action=attach`, { object_id })).status).toBe(200);
    expect((await rest('POST', '/tag-association?~action=list-attached-tags', { object_id })).json).toEqual({
      value: [tags[0]],
    });
    expect((await rest('POST', `/tag-association/id:${tags[0]}?~action=list-attached-objects`)).json).toEqual({
      value: [object_id],
    });
    expect(await rest('POST', `/tag-association/id:${tags[1]}?~action=attach`, { object_id })).toMatchObject({
      status: 400,
    });
    expect(
      (await rest('POST', `/tag/id:${category}?~action=list-tags-for-category`, { category_id: category })).json,
    ).toEqual({ value: tags });
    await rest('POST', `/tag-association/id:${tags[0]}?~action=detach`, { object_id });
    expect((await rest('POST', '/tag-association?~action=list-attached-tags', { object_id })).json).toEqual({
      value: [],
    });
    expect((await rest('DELETE', `/category/id:${category}`)).status).toBe(200);
    expect((await rest('GET', `/tag/id:${tags[0]}`)).status).toBe(404);
  });

  it.each([
    ['without a session', 'GET', '/rest/com/vmware/cis/tagging/tag', {}, 401],
    ['of an unknown resource', 'GET', '/rest/com/vmware/cis/tagging/nothing', undefined, 404],
    ['of an unknown path', 'GET', '/rest/appliance', undefined, 404],
    ['with an unknown action', 'POST', '/rest/com/vmware/cis/tagging/tag-association?~action=dance', undefined, 404],
    [
      'with objects that are none',
      'POST',
      '/rest/com/vmware/cis/tagging/tag-association?~action=list-attached-tags-on-objects',
      undefined,
      400,
    ],
  ] as const)('refuses a request %s', async (_name, method, path, headers, status) => {
    const { send, headers: session } = await setup();
    expect((await send(method, path, { headers: headers ?? session })).status).toBe(status);
  });

  it('requires tagging privileges for changes, and hides objects that may not be read', async () => {
    const { sim, send, loginAs } = await setup();
    const headers = await loginAs(basic('cpi@vsphere.local:obviously-fake-cpi'));
    const create = {
      headers,
      body: { create_spec: { name: 'x', description: '', cardinality: 'SINGLE', associable_types: [] } },
    };
    expect((await send('POST', '/rest/com/vmware/cis/tagging/category', create)).status).toBe(403);
    sim.control.grant('cpi@vsphere.local', 'NoAccess', '/demo/host/compute-b');
    const ids = ['compute-a', 'compute-b']
      .map((name) => sim.control.find(name))
      .map(({ type, value }) => ({ type, id: value }));
    const { json } = await send(
      'POST',
      '/rest/com/vmware/cis/tagging/tag-association?~action=list-attached-tags-on-objects',
      { headers, body: { object_ids: ids } },
    );
    expect(json?.['value']).toMatchObject([{ object_id: ids[0] }]);
  });
});
