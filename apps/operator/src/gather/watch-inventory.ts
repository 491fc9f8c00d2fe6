import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { MountedDatastore, PlaceChange } from '@vdo/vsphere/inventory/node-places';

/** What the watch of a vCenter tells the checks. */
export interface InventoryNews {
  /** Something is now another way that a check may call a fault. */
  alarm(): void;
  /** Something else changed: it matters to whoever repairs something. */
  change(): void;
  /** The session or vCenter itself is lost. */
  interrupted(): void;
}

/** Long enough to cost little at rest. Should something in between give up earlier, the polls become shorter. */
const maxWaitSeconds = 540;

/** What a check of the VM may call a fault. Addresses change with every pod, and are left to the cadence. */
const alarming = ({ uuid, powerState, toolsRunning, extraConfig }: VmFacts): string =>
  JSON.stringify([uuid, powerState, toolsRunning, extraConfig['disk.EnableUUID']]);
/** DRS moves VMs all the time: that is no reason to check what is well. */
const moving = ({ name, host, folder, extraConfig }: VmFacts): string =>
  JSON.stringify([name, host?.value, folder?.value, extraConfig]);

const reach = ({ accessible, maintenance, writableHosts }: MountedDatastore): string =>
  JSON.stringify([accessible, maintenance, writableHosts]);

const isAlarming = (change: PlaceChange): boolean => {
  if (change.kind === 'ancestor') return false;
  if (change.kind === 'host') return change.before.connection !== change.after.connection;
  return reach(change.before) !== reach(change.after);
};

/** Watches the node VMs, their hosts and datastores by one long poll. Returns what ends it. */
export const watchInventory = (
  { nodes, places }: Pick<FullVCenter, 'nodes' | 'places'>,
  news: InventoryNews,
): (() => Promise<void>) => {
  const ended = new AbortController();
  const stops = [
    nodes.onChange((vm, before) => {
      if (alarming(vm) !== alarming(before)) news.alarm();
      else if (moving(vm) !== moving(before)) news.change();
    }),
    nodes.onGone(() => news.alarm()),
    places.onChange((change) => (isAlarming(change) ? news.alarm() : news.change())),
  ];
  const running = nodes
    .run(ended.signal, { maxWaitSeconds, onInterrupt: () => news.interrupted() })
    .catch(() => undefined);
  return async () => {
    for (const stop of stops) stop();
    ended.abort();
    await running;
  };
};
