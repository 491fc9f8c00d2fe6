import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { morefKey } from '@vdo/vsphere/wire/moref';

/** What the checks judge of a VM. Addresses change with every pod, and are left to the cadence. */
const judged = ({ name, uuid, powerState, toolsRunning, host, folder, extraConfig }: VmFacts): string =>
  JSON.stringify([name, uuid, powerState, toolsRunning, host?.value, folder?.value, extraConfig]);

/**
 * Calls `onChange` when a node VM, its host or its datastores change in a way that a check can see, by one long poll.
 * Returns what ends it.
 */
export const watchInventory = (
  { nodes, places }: Pick<FullVCenter, 'nodes' | 'places'>,
  onChange: () => void,
): (() => Promise<void>) => {
  const ended = new AbortController();
  const seen = new Map<string, string>();
  const forgetVms = nodes.onChange((vm) => {
    const key = morefKey(vm.ref);
    const now = judged(vm);
    if (seen.get(key) === now) return;
    seen.set(key, now);
    onChange();
  });
  const forgetPlaces = places.onChange(onChange);
  const running = nodes.run(ended.signal).catch(() => undefined);
  return async () => {
    forgetVms();
    forgetPlaces();
    ended.abort();
    await running;
  };
};
