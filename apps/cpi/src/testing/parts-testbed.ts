import type { Fence } from '@vdo/base/fence';
import { VdoError } from '@vdo/base/vdo-error';
import { createInformer } from '@vdo/kube/create-informer';
import { type Node, nodes as nodeResource } from '@vdo/kube/types/core';
import { createSimWorld, type SimWorldOptions } from '@vdo/sim-world/create-sim-world';
import { createNodeWriter } from '../nodes/node-writer.ts';
import { createNodeVms } from '../vms/node-vms.ts';
import type { TopologyLabels } from '../vms/topology-lookup.ts';

export interface PartsTestbedOptions extends Pick<SimWorldOptions, 'models'> {
  /** No categories by default. */
  readonly labels?: TopologyLabels;
}

const account = { username: 'cpi@vsphere.local', password: 'obviously-fake-cpi', version: '1' };

/** What the controllers of the program work with, in a simulated world; a test calls them itself. */
export const createPartsTestbed = ({ labels = {}, ...options }: PartsTestbedOptions = {}) => {
  /** Requests of the program for single Nodes: `PATCH node-1`, `PATCH node-1/status`. */
  const calls: string[] = [];
  const asked = { vcenter: 0 };
  /** Another writer, which runs before each patch. */
  const rival: { act: () => Promise<unknown> } = { act: async () => {} };
  const world = createSimWorld({
    ...options,
    wire: (to, transport) => async (request) => {
      if (to === 'vcenter') asked.vcenter++;
      const [, node] = /^\/api\/v1\/nodes\/([^?]+)/.exec(request.path) ?? [];
      if (to === 'vcenter' || node === undefined) return transport(request);
      calls.push(`${request.method} ${node}`);
      if (request.method === 'PATCH') await rival.act();
      return transport(request);
    },
  });
  const { client, clock } = world;
  let isHeld = true;
  const fence: Fence = {
    assertHeld: () => {
      if (!isHeld) throw new VdoError({ code: 'LeaseLost', message: 'the Lease is lost', remedy: 'None.' });
    },
  };
  const { signal } = new AbortController();

  const { built, metrics } = world.start('cpi', ({ connect, ...parts }) => {
    const servers = [...world.vcenters.keys()];
    const vcenters = servers.map((server) => connect({ ...parts, server, credentials: async () => account }));
    const members = vcenters.map((vcenter) => ({ vcenter, datacenters: [] }));
    const vms = createNodeVms({ ...parts, members, labels, signal });
    const nodes = createInformer({ ...parts, client: parts.kube, resource: nodeResource });
    const writer = createNodeWriter({ ...parts, client: parts.kube, fence, concurrency: 4 });
    const run = async (ending: AbortSignal) => {
      await Promise.allSettled([vms.run(ending), nodes.run(ending)]);
      await Promise.allSettled(vcenters.map((vcenter) => vcenter.close()));
    };
    return { ...parts, vms, nodes, writer, run };
  });

  return {
    ...world,
    ...built,
    sim: world.vc(),
    metrics,
    clock,
    calls,
    asked,
    rival,
    signal,
    loseLease: () => {
      isHeld = false;
    },
    /** Runs `task` while time passes: at least half a second, so that watches report earlier changes. */
    during: async <T>(task: () => Promise<T>): Promise<T> => {
      await clock.advance(500);
      const running = task();
      let over = false;
      const end = () => {
        over = true;
      };
      running.then(end, end);
      await world.until('the task ends', () => over);
      return running;
    },
    /** A node as kubelet registers it. */
    put: (node: Node): Promise<Node> => {
      const { uid: _uid, creationTimestamp: _created, ...metadata } = node.metadata;
      return client.create(nodeResource, { ...node, metadata });
    },
    node: (name = 'node-1'): Promise<Node> => client.get(nodeResource, { name }),
    setReady: (status: 'True' | 'Unknown', name = 'node-1'): Promise<Node> => {
      const body = { status: { conditions: [{ type: 'Ready', status }] } };
      return client.patch(nodeResource, { name }, { type: 'merge', body }, { subresource: 'status' });
    },
  };
};

export type PartsTestbed = ReturnType<typeof createPartsTestbed>;
