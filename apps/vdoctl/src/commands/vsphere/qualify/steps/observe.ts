import { trialCluster } from '@vdo/acts/trials/trial-marks';
import { type Clock, deadline } from '@vdo/base/clock';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VmHealth } from '@vdo/vsphere/health/health-reader';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { morefKey } from '@vdo/vsphere/wire/moref';
import type { Observer } from '../exchange.ts';
import { anySite, readInventory, type Site } from '../site.ts';
import type { Steps } from './step.ts';
import { wrong } from './wrong.ts';

export interface ObserveDeps {
  readonly vcenter: FullVCenter;
  readonly steps: Steps;
  readonly observer: Observer;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Watches one VM until vCenter has reported it once, as the cloud controller manager does. */
const watchOnce = async ({ vcenter, observer, clock, signal }: ObserveDeps): Promise<void> => {
  const limit = deadline(clock, 30_000, {
    parent: signal,
    reason: () => wrong('no update of a watched VM arrived within 30 s'),
  });
  const watching = new AbortController();
  let isListed = false;
  const forget = observer.onExchange(({ call, status }) => {
    if (call !== 'WaitForUpdatesEx' || status !== 200) return;
    isListed = true;
    watching.abort();
  });
  try {
    await vcenter.nodes.run(AbortSignal.any([limit.signal, watching.signal])).catch((error: unknown) => {
      if (!isListed) throw error;
    });
    if (!isListed) throw limit.signal.reason ?? wrong('the watch of a VM ended before vCenter reported it');
  } finally {
    forget();
    limit.dispose();
  }
};

const observeNode = async (deps: ObserveDeps, vm: VmHealth): Promise<void> => {
  const { vcenter, steps, signal } = deps;
  await steps.try('find the VM by its UUID', 'nodes', async () => {
    const found = await vcenter.nodes.resolve([{ key: 'vm', uuid: vm.uuid }], { signal });
    if (found.get('vm')?.state === 'not-found') throw wrong('an existing VM was not found by its UUID');
  });
  await steps.try('watch the VM', 'nodes', () => watchOnce(deps));
  await steps.try('check that the VM exists', 'nodes', async () => {
    const [existence] = await vcenter.existence.prove([{ ref: vm.ref, folder: vm.folder }], { signal });
    if (existence?.state !== 'exists') throw wrong('an existing VM was reported as deleted');
  });
  await steps.try('read regions and zones', 'tags', () =>
    vcenter.topology.locate([vm], { region: 'k8s-region', zone: 'k8s-zone' }, { signal }),
  );
  await steps.try('find the datastores of the VM', 'block-volumes', () =>
    vcenter.placement.sharedDatastores([vm.ref], { signal }),
  );
  await steps.try('read the disks of the VM', 'block-volumes', () => vcenter.disks.of([vm.ref], { signal }));
};

const observeStorage = async ({ vcenter, steps, signal }: ObserveDeps, site: Partial<Site>): Promise<void> => {
  const { cns } = vcenter;
  await steps.try('list volumes', 'block-volumes', async () => {
    await cns.showsAny({ signal });
    await cns.queryVolumes({ clusterIds: [trialCluster] }, { signal });
  });
  await steps.try('list snapshots', 'snapshots', () =>
    cns.querySnapshots({ volumeId: '00000000-0000-4000-8000-000000000000' }, { signal }),
  );
  await steps.try('list running tasks', 'block-volumes', () => vcenter.tasks.underWay(/volume/i, { signal }));
  const policies = await steps.try('list storage policies', 'policies', () => vcenter.policies.list({ signal }));
  const { datastore } = site;
  if (!datastore) return;
  await steps.try('read the datastore', 'inventory', () => vcenter.health.datastores([datastore], { signal }));
  const [policy] = policies ?? [];
  if (policy)
    await steps.try('find the datastores of a policy', 'policies', () =>
      vcenter.policies.placement(policy.id, [datastore], { signal }),
    );
  await steps.try('check for file services', 'file-volumes', () =>
    vcenter.fileServices.enabledOn([datastore], { signal }),
  );
};

/** All read-only steps. Returns the part of the inventory that was found. */
export const observe = async (deps: ObserveDeps, choose: (inventory: Ancestors) => Site | undefined): Promise<void> => {
  const { vcenter, steps, signal } = deps;
  await steps.try('read the user of the session', 'login', () => vcenter.userName({ signal }));
  await steps.try('read the clock', 'login', () => vcenter.health.clock({ signal }));
  await steps.try('list datacenters', 'inventory', () => vcenter.datacenters.all({ signal }));
  const inventory = await steps.try('list VMs, folders and datastores', 'inventory', () =>
    readInventory(vcenter, signal),
  );
  const site = inventory ? (choose(inventory) ?? anySite(inventory)) : {};
  const { vm } = site;
  const read = vm
    ? await steps.try('read a VM', 'nodes', async () => {
        const found = (await vcenter.health.vms([vm], { signal })).get(morefKey(vm));
        if (!found) throw wrong('a listed VM was not reported');
        return found;
      })
    : steps.skip('read a VM', 'nodes', 'this account cannot see any VM');
  if (read) await observeNode(deps, read);
  await observeStorage(deps, site);
  await steps.try('list tag categories', 'tags', () => vcenter.tags.categories({ signal }));
  steps.skip(
    'register a disk as a volume',
    'in-tree-disks',
    'a disk that is not a volume yet could not be found again if the run is interrupted',
  );
  steps.skip('move a volume to another datastore', 'moves', 'it would copy a disk onto a datastore that was not named');
};
