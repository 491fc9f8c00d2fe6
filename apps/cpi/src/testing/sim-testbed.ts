import { createMetrics } from '@vdo/base/metrics';
import { names } from '@vdo/config/names';
import { type Event, events, type Node, nodes, type Secret, secrets } from '@vdo/kube/types/core';
import { createSimWorld, type SimProgram, type SimWorldOptions } from '@vdo/sim-world/create-sim-world';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { confFor, cpiProgram } from './cpi-program.ts';
import { waitingNode } from './node.ts';

export interface SimTestbedOptions extends Pick<SimWorldOptions, 'models' | 'wire'> {
  readonly account?: { readonly username: string; readonly password: string };
}

/** A simulated world with one or more vCenters and replicas of the program. */
export const createSimTestbed = (options: SimTestbedOptions = {}) => {
  const { account = { username: 'cpi@vsphere.local', password: 'obviously-fake-cpi' } } = options;
  const world = createSimWorld(options);
  const { clock, client, until } = world;
  const servers = [...world.vcenters.keys()];
  const conf = { text: confFor(...servers) };
  const metrics = createMetrics();
  const build = cpiProgram({ conf, clock, metrics });

  const putSecret = (given: { readonly username: string; readonly password: string }): Promise<Secret> => {
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const hosts = [...new Set(servers.map((id) => id.split(':')[0] ?? ''))];
    const data = hosts.flatMap((server) => [
      [`${server}.username`, base64(given.username)],
      [`${server}.password`, base64(given.password)],
    ]);
    const secret: Secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: names.credentialsSecret, namespace: names.namespace },
      data: Object.fromEntries(data),
    };
    return client.apply(secrets, secret, { fieldManager: 'test', force: true });
  };

  const programs: SimProgram[] = [];
  return {
    ...world,
    kubeSim: world.kubeSim(),
    conf,
    metrics,
    account,
    putSecret,
    /** Starts a replica; it also stops when the given controller is aborted. */
    start: (identity = 'replica-1', controller?: AbortController) => {
      const program = world.start(identity, build);
      controller?.signal.addEventListener('abort', () => program.stop());
      programs.push(program);
      return program.running;
    },
    /** Stops the programs; others can be started afterwards. */
    stop: async () => {
      for (const program of programs) program.stop();
      const ended = Promise.allSettled(programs.map(({ running }) => running));
      let over = false;
      void ended.then(() => {
        over = true;
      });
      await until('the programs end', () => over);
      return ended;
    },
    /** A node that waits for initialization, with the UUID of a VM of the demo model. */
    join: (index: number, overrides: Parameters<typeof waitingNode>[0] = {}): Promise<Node> => {
      const node = waitingNode({ name: `node-${index}`, systemUUID: demoUuid(index), ...overrides });
      const { uid: _uid, creationTimestamp: _created, ...metadata } = node.metadata;
      return client.create(nodes, { ...node, metadata });
    },
    node: (index: number): Promise<Node> => client.get(nodes, { name: `node-${index}` }),
    nodeNames: async (): Promise<readonly string[]> =>
      (await client.list(nodes)).items.map(({ metadata }) => metadata.name ?? '').sort(),
    eventsOf: async (name: string): Promise<readonly Event[]> =>
      (await client.list(events)).items.filter(({ involvedObject }) => involvedObject.name === name),
  };
};
