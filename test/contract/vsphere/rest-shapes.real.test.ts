import { createSystemClock } from '@vdo/base/clock';
import { openFence as fence } from '@vdo/base/fence';
import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { destructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { expect, it } from 'vitest';
import { createTempFolder } from '../../harness/cleanup.ts';
import { partPath } from '../../harness/parts.ts';
import { run } from '../../harness/run.ts';
import { connect } from '../../vsphere-schema/walk.ts';

/** A JSON value without what it says: its names and types. Lists are told by what is in them. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))].sort();
  if (typeof value !== 'object' || value === null) return value === null ? 'nothing' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, shapeOf(one)]),
  );
};

/** Keeps the shapes of REST requests, by `POST /rest/…/tag/id:*?~action=…`. */
const keepShapes = (transport: HttpTransport) => {
  const shapes = new Map<string, string>();
  const keep = ({ method, path, body }: HttpRequest): void => {
    if (!path.startsWith('/rest/')) return;
    const text = body === undefined ? '' : Buffer.from(body).toString('utf8').trim();
    const name = `${method} ${path.replace(/\/id:[^?]+/, '/id:*').replace('%7E', '~')}`;
    shapes.set(name, text === '' || text === 'null' ? 'no body' : JSON.stringify(shapeOf(JSON.parse(text))));
  };
  const handler: HttpTransport = (request) => {
    keep(request);
    return transport(request);
  };
  return { shapes, handler };
};

const createSim = () =>
  createVSphereSim({ model: demoModel(), clock: createSystemClock(), random: createSeededRandom(1) });

const shapesOfGovc = async (): Promise<ReadonlyMap<string, string>> => {
  const kept = keepShapes(createSim().handler);
  const home = await createTempFolder('govc');
  const server = await serveVSphereSim(kept, { clock: createSystemClock() });
  const env = {
    GOVC_URL: `${server.url}/sdk`,
    GOVC_USERNAME: 'administrator@vsphere.local',
    GOVC_PASSWORD: 'obviously-fake',
    GOVC_INSECURE: 'true',
    GOVC_PERSIST_SESSION: 'false',
    HOME: home.path,
  };
  const commands = [
    'tags.category.ls',
    'tags.category.create -d made -t VirtualMachine owner',
    'tags.category.info owner',
    'tags.create -c owner -d made blue',
    'tags.ls -c owner',
    'tags.info blue',
    'tags.attach blue /demo/vm/kubernetes/node-1',
    'tags.attached.ls -l -r /demo/vm/kubernetes/node-1',
    'tags.attached.ls -r /demo/vm/kubernetes/node-1 /demo/vm/kubernetes/node-2',
    'tags.detach blue /demo/vm/kubernetes/node-1',
    'tags.category.rm -f owner',
  ];
  try {
    for (const command of commands) await run(partPath('govc'), command.split(' '), { env });
  } finally {
    await server.close();
    await home.remove();
  }
  return kept.shapes;
};

const shapesOfOurs = async (): Promise<ReadonlyMap<string, string>> => {
  const sim = createSim();
  const kept = keepShapes(sim.handler);
  const vcenter = connect(kept.handler);
  const { tags } = vcenter;
  const node = sim.control.find('node-1');
  const categoryId = await tags.createCategory({ name: 'owner', description: 'made', types: ['VirtualMachine'] });
  await tags.categories();
  await tags.category(categoryId);
  const tagId = await tags.createTag({ name: 'blue', categoryId });
  await tags.tagsIn(categoryId);
  await tags.attach(tagId, node);
  await vcenter.health.tags([node]);
  await tags.detach(tagId, node);
  await destructiveCalls(vcenter).deleteTagCategory(categoryId, { fence });
  await vcenter.close();
  return kept.shapes;
};

// govc comes from people who have a vCenter: whatever the client asks for about tags, it asks for in the same words.
it('sends the REST requests that govc sends', async () => {
  const [govc, ours] = [await shapesOfGovc(), await shapesOfOurs()];
  expect(ours.size).toBeGreaterThan(9);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries([...ours.keys()].map((name) => [name, govc.get(name)])));
});
