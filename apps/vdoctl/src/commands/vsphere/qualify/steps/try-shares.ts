import { openFence } from '@vdo/base/fence';
import type { NetPermission } from '@vdo/vsphere/cns/cns-types';
import { trialName } from '../trial.ts';
import { clusterOf, type TryDeps } from './try-disks.ts';
import { wrong } from './wrong.ts';

/** An address for documentation (RFC 5737): nobody has it, so that nobody is let in. */
const nobody: readonly NetPermission[] = [{ ips: '192.0.2.1', access: 'READ_WRITE', rootSquash: false }];

/** Makes a share where the datastore can hold one, opens it to an address that nobody has, and deletes it. */
export const tryShares = async (deps: TryDeps): Promise<void> => {
  const { vcenter, steps, site, run, undo, userName, signal } = deps;
  const step = 'make a share of 1 GiB';
  const able = await steps.try('ask whether the datastore can hold shares', 'file-volumes', async () =>
    (await vcenter.fileServices.enabledOn([site.datastore], { signal })).get(site.datastore.value),
  );
  if (able !== true) {
    if (able === false) steps.skip(step, 'file-volumes', 'the datastore is not of a vSAN cluster with file services');
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
    if (Object.keys(points).length === 0) throw wrong('a share that was made has no access point');
  });
  const opened = await steps.try('open the share to an address', 'share-access', async () => {
    await vcenter.cns.grantAccess(share.id, nobody, calling);
    return true;
  });
  if (opened) await steps.try('close it again', 'share-access', () => undo.removeAccess(share.id, nobody));
  await steps.try('delete the share', 'file-volumes', () => undo.deleteVolume(share.id));
};
