import type { Check } from './check.ts';
import { lockoutRiskCheck, loginCheck } from './credentials/login.ts';
import { secretKeysCheck } from './credentials/secret-keys.ts';
import { usernameDomainCheck } from './credentials/username-domain.ts';
import { providerIdCheck, taintStuckCheck, vmFoundCheck } from './nodes/node-checks.ts';
import { insecureModeCheck } from './vcenter/certificate.ts';
import { reachabilityChecks } from './vcenter/reachability.ts';
import { versionInMatrixCheck } from './vcenter/version-in-matrix.ts';

/** Every check there is, in the order in which a reader goes through them. */
export const allChecks: readonly Check[] = [
  ...reachabilityChecks,
  insecureModeCheck,
  versionInMatrixCheck,
  secretKeysCheck,
  usernameDomainCheck,
  loginCheck,
  lockoutRiskCheck,
  vmFoundCheck,
  providerIdCheck,
  taintStuckCheck,
];
