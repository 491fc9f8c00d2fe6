import type { Check } from './check.ts';
import { clusterChecks } from './cluster/cluster-checks.ts';
import { lockoutRiskCheck, loginCheck, rotationPendingCheck } from './credentials/login.ts';
import { secretKeysCheck } from './credentials/secret-keys.ts';
import { usernameDomainCheck } from './credentials/username-domain.ts';
import { csiChecks } from './csi/csi-checks.ts';
import { workloadChecks } from './csi/workload-checks.ts';
import { addressesCheck } from './nodes/addresses.ts';
import { esxiVersionCheck } from './nodes/esxi-version.ts';
import { uuidDuplicateCheck, uuidMatchCheck, vmMovedCheck } from './nodes/identity.ts';
import { providerIdCheck, taintStuckCheck, vmFoundCheck } from './nodes/node-checks.ts';
import {
  diskEnableUuidCheck,
  diskSlotsCheck,
  hardwareVersionCheck,
  toolsRunningCheck,
  vmSnapshotCheck,
} from './nodes/vm-settings.ts';
import { privilegeChecks } from './privileges/privilege-checks.ts';
import { attachmentChecks } from './storage/attachment-checks.ts';
import { storageClassesCheck } from './storage/class-checks.ts';
import { datastoreChecks } from './storage/datastore-checks.ts';
import { fileClustersCheck } from './storage/file-cluster-checks.ts';
import { policyChecks } from './storage/policy-checks.ts';
import { preferredDatastoresCheck } from './storage/preferred-checks.ts';
import { volumeChecks } from './storage/volume-checks.ts';
import { topologyChecks } from './topology/topology-checks.ts';
import { certExpiryCheck, insecureModeCheck } from './vcenter/certificate.ts';
import { featuresCheck } from './vcenter/features.ts';
import { latencyCheck } from './vcenter/latency.ts';
import { reachabilityChecks } from './vcenter/reachability.ts';
import { readableRepliesCheck } from './vcenter/readable-replies.ts';
import { clockSkewCheck, sessionLeakCheck } from './vcenter/sessions.ts';
import { versionInMatrixCheck } from './vcenter/version-in-matrix.ts';
import { versionChecks } from './versions/version-checks.ts';

/** All checks, in reading order. */
export const allChecks: readonly Check[] = [
  ...reachabilityChecks,
  certExpiryCheck,
  insecureModeCheck,
  clockSkewCheck,
  latencyCheck,
  versionInMatrixCheck,
  featuresCheck,
  readableRepliesCheck,
  sessionLeakCheck,
  secretKeysCheck,
  usernameDomainCheck,
  loginCheck,
  lockoutRiskCheck,
  rotationPendingCheck,
  ...privilegeChecks,
  vmFoundCheck,
  uuidMatchCheck,
  uuidDuplicateCheck,
  providerIdCheck,
  taintStuckCheck,
  addressesCheck,
  diskEnableUuidCheck,
  hardwareVersionCheck,
  esxiVersionCheck,
  diskSlotsCheck,
  vmMovedCheck,
  toolsRunningCheck,
  vmSnapshotCheck,
  ...topologyChecks,
  ...datastoreChecks,
  preferredDatastoresCheck,
  fileClustersCheck,
  ...policyChecks,
  storageClassesCheck,
  ...volumeChecks,
  ...attachmentChecks,
  ...csiChecks,
  ...workloadChecks,
  ...versionChecks,
  ...clusterChecks,
];
