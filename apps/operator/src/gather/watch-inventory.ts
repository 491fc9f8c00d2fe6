import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { MountedDatastore, PlaceChange } from '@vdo/vsphere/inventory/node-places';

/** What the watch of a vCenter reports to the checks. */
export interface InventoryNews {
  /** A change that a check may judge as a fault. */
  alarm(): void;
  /** Another change: it matters while a check fails. */
  change(): void;
  /** The session or vCenter itself is lost. */
  interrupted(): void;
  /** vCenter answers again. */
  restored(): void;
}

/** Long enough to cost little while nothing changes. If a proxy times out earlier, the polls become shorter. */
const maxWaitSeconds = 540;

/** An attempt on a vCenter that is away costs it nothing, and its return shows within seconds. */
const maxRetryMs = 6_000;

/** VM properties that a check may judge as a fault. Addresses change with every pod and are checked at the regular rounds. */
const alarming = ({ uuid, powerState, toolsRunning, extraConfig }: VmFacts): string =>
  JSON.stringify([uuid, powerState, toolsRunning, extraConfig['disk.EnableUUID']]);
/** DRS moves VMs all the time: this alone does not start checks while none fails. */
const moving = ({ name, host, folder, extraConfig }: VmFacts): string =>
  JSON.stringify([name, host?.value, folder?.value, extraConfig]);

const reach = ({ accessible, maintenance, writableHosts }: MountedDatastore): string =>
  JSON.stringify([accessible, maintenance, writableHosts]);

const isAlarming = (change: PlaceChange): boolean => {
  if (change.kind === 'ancestor') return false;
  if (change.kind === 'host') return change.before.connection !== change.after.connection;
  return reach(change.before) !== reach(change.after);
};

/** Watches the node VMs, their hosts and datastores with one long poll. Returns a function that stops it. */
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
    .run(ended.signal, {
      maxWaitSeconds,
      maxRetryMs,
      onInterrupt: () => news.interrupted(),
      onRestored: () => news.restored(),
    })
    .catch(() => undefined);
  return async () => {
    for (const stop of stops) stop();
    ended.abort();
    await running;
  };
};
