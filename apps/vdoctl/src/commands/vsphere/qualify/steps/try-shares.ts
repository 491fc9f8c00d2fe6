import { openFence } from '@vdo/base/fence';
import type { NetPermission } from '@vdo/vsphere/cns/cns-types';
import { trialName } from '../trial.ts';
import { clusterOf, type TryDeps } from './try-disks.ts';
import { wrong } from './wrong.ts';

/** An address for documentation (RFC 5737): no host has it, so nobody gets access. */
const nobody: readonly NetPermission[] = [{ ips: '192.0.2.1', access: 'READ_WRITE', rootSquash: false }];

/** Creates a share if the datastore supports it, allows access from an unused address, and deletes the share. */
export const tryShares = async (deps: TryDeps): Promise<void> => {
  const { vcenter, steps, site, run, undo, userName, signal } = deps;
  const step = 'create a share of 1 GiB';
  const able = await steps.try('check whether the datastore supports file shares', 'file-volumes', async () =>
    (await vcenter.fileServices.enabledOn([site.datastore], { signal })).get(site.datastore.value),
  );
  if (able !== true) {
    if (able === false) steps.skip(step, 'file-volumes', 'the datastore is not in a vSAN cluster with file services');
    return;
  }
  const calling = { fence: openFence, signal };
  const share = await steps.try(step, 'file-volumes', () =>
    vcenter.cns.createFileVolume(
      {
        name: trialName(site.vm, run, 'share'),
        capacityMb: 1024n,
        datastores: [site.datastore],
        cluster: clusterOf(userName),
        netPermissions: [{ ips: '192.0.2.2', access: 'READ_WRITE', rootSquash: false }],
      },
      calling,
    ),
  );
  if (!share) return;
  await steps.try('read where the share is mounted from', 'file-volumes', async () => {
    const points = await vcenter.cns.accessPoints(share.id, { signal });
    if (Object.keys(points).length === 0) throw wrong('a created share has no access point');
  });
  const opened = await steps.try('allow access to the share', 'share-access', async () => {
    await vcenter.cns.grantAccess(share.id, nobody, calling);
    return true;
  });
  if (opened) await steps.try('remove the access', 'share-access', () => undo.removeAccess(share.id, nobody));
  await steps.try('delete the share', 'file-volumes', () => undo.deleteVolume(share.id));
};
