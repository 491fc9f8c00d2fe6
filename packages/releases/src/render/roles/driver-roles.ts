import type { DriverRole } from './driver-role.ts';
import { metricsReviews, nativeCpiRoles, nativeCsiRoles } from './native-roles.ts';
import { sccRoles, snapshotControllerRoles } from './shared-roles.ts';
import { upstreamCpiRoles, upstreamCsiRoles } from './upstream-roles.ts';

/** All permissions that drivers of any known layout may get. */
export const driverRoles: readonly DriverRole[] = [
  metricsReviews,
  ...Object.values(nativeCpiRoles),
  ...Object.values(nativeCsiRoles),
  ...Object.values(snapshotControllerRoles),
  ...Object.values(upstreamCpiRoles),
  ...Object.values(upstreamCsiRoles),
  ...Object.values(sccRoles),
];
