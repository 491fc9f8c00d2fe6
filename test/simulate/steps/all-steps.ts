import { attach, detach } from './attachments.ts';
import { changePolicy, deleteVolume, duplicateVolume, forceVolume } from './by-hand.ts';
import { clone, create, deleteClaim, grow, replaceClaim, restore, share } from './claims.ts';
import { cutOff, kubeFault, shareFault, vcenterFault } from './faults.ts';
import { breakWatches, die, hangWatches, lagWatches, pause } from './processes.ts';
import { deleteSnapshot, snapshot } from './snapshots.ts';
import type { StepKind } from './step.ts';
import { callFault, hideVolumes, restart, restoreVCenter, taskFault } from './vcenter.ts';
import { changeAddress, duplicateUuid, registerAgain, replaceNode, scaleDown, silence } from './vms.ts';

/** Everything that can happen. */
export const allSteps: Readonly<Record<string, StepKind>> = {
  create: { weight: 12, happen: create },
  clone: { weight: 4, happen: clone },
  restore: { weight: 4, happen: restore },
  grow: { weight: 6, happen: grow },
  'delete claim': { weight: 8, happen: deleteClaim },
  'replace claim': { weight: 2, happen: replaceClaim },
  attach: { weight: 10, happen: attach },
  detach: { weight: 7, happen: detach },
  snapshot: { weight: 7, happen: snapshot },
  'delete snapshot': { weight: 5, happen: deleteSnapshot },
  'change policy': { weight: 4, happen: changePolicy },
  'delete volume': { weight: 2, happen: deleteVolume },
  'force volume': { weight: 1, happen: forceVolume },
  'power cut': { weight: 3, happen: die },
  pause: { weight: 3, happen: pause },
  'watch hang': { weight: 3, happen: hangWatches },
  'watch lag': { weight: 2, happen: lagWatches },
  'watches break': { weight: 1, happen: breakWatches },
  'kube fault': { weight: 10, happen: kubeFault },
  'vcenter fault': { weight: 12, happen: vcenterFault },
  'cut off': { weight: 2, happen: cutOff },
  'task fault': { weight: 4, happen: taskFault },
  'call fault': { weight: 2, happen: callFault },
  restart: { weight: 1, happen: restart },
  'hide volumes': { weight: 1, happen: hideVolumes },
  'duplicate volume': { weight: 1, happen: duplicateVolume },
  'register anew': { weight: 1, happen: registerAgain },
  'duplicate UUID': { weight: 1, happen: duplicateUuid },
  'replace node': { weight: 1, happen: replaceNode },
  silence: { weight: 2, happen: silence },
  'scale down': { weight: 1, happen: scaleDown },
  share: { weight: 4, happen: share },
  'share fault': { weight: 2, happen: shareFault },
  'restore vCenter': { weight: 1, happen: restoreVCenter },
  'change address': { weight: 1, happen: changeAddress },
};
