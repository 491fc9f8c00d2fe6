import { VdoError } from '@vdo/base/vdo-error';
import { Node as CsiNodeService } from '@vdo/csi-proto/gen/csi-pb';
import { type CsiClient, createCsiClient } from '@vdo/csi-proto/rpc/csi-client';
import type { CsiNodeDriver } from '@vdo/kube/types/storage';

export type Driver = CsiNodeDriver;
export type NodePlugin = CsiClient<typeof CsiNodeService>;

interface Registered {
  readonly nodeName: string;
  readonly podUid: string;
  readonly driver: Driver;
  readonly client: NodePlugin;
}

/** The CSI drivers that have registered, by node. */
export interface CsiPlugins {
  add(plugin: Omit<Registered, 'client'> & { readonly socket: string }): void;
  /** Removes the registrations of a pod; returns whether there were any. */
  removeOf(podUid: string): boolean;
  driversOn(nodeName: string): readonly Driver[];
  /** The registration on any node; undefined before the first. */
  anyDriver(): Driver | undefined;
  /** VdoError if the driver is not registered on the node. */
  connect(nodeName: string, driverName: string): NodePlugin;
}

const unregistered = (nodeName: string, driverName: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `the driver ${driverName} is not registered on node ${nodeName}`,
    remedy: `Check the pod of the driver on node ${nodeName}. The kubelet retries until the driver registers.`,
  });

export const createCsiPlugins = (): CsiPlugins => {
  const byPlace = new Map<string, Registered>();
  const place = (nodeName: string, driverName: string) => `${nodeName}/${driverName}`;
  return {
    add: ({ nodeName, podUid, driver, socket }) => {
      const key = place(nodeName, driver.name);
      byPlace.get(key)?.client.close();
      byPlace.set(key, { nodeName, podUid, driver, client: createCsiClient(CsiNodeService, `unix://${socket}`) });
    },
    removeOf: (podUid) => {
      const own = [...byPlace].filter(([, plugin]) => plugin.podUid === podUid);
      for (const [key, { client }] of own) {
        client.close();
        byPlace.delete(key);
      }
      return own.length > 0;
    },
    driversOn: (nodeName) =>
      [...byPlace.values()].filter((plugin) => plugin.nodeName === nodeName).map(({ driver }) => driver),
    anyDriver: () => byPlace.values().next().value?.driver,
    connect: (nodeName, driverName) => {
      const plugin = byPlace.get(place(nodeName, driverName));
      if (!plugin) throw unregistered(nodeName, driverName);
      return plugin.client;
    },
  };
};
