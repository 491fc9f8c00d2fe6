import { condition, type FaultCase, failing } from './fault-testbed.ts';

const onDrivers = (reason: RegExp) => ({ type: 'Warning', reason, object: 'VSphereDrivers cluster' }) as const;

/** What a user sees while a fault holds: in the status with its remedy, and as an event with the same remedy. */
export const vcenterFaults: readonly FaultCase[] = [
  {
    fault: 'vcenter-down',
    shows: (report) =>
      report.health === 'Degraded' && condition(report, 'VCenterReachable')?.status === 'False'
        ? failing(report, 'vcenter/tcp')?.remedy
        : undefined,
    event: onDrivers(/^VCenterUnreachable$/),
  },
  {
    fault: 'bad-password',
    shows: (report) =>
      condition(report, 'CredentialsValid')?.status === 'False'
        ? failing(report, 'credentials/login')?.remedy
        : undefined,
    event: onDrivers(/^VCenterLogin(Rejected|Suspended)$/),
  },
  {
    fault: 'privilege-lost',
    shows: (report) =>
      condition(report, 'PrivilegesSufficient')?.status === 'False'
        ? report.failing.find(({ id }) => id.startsWith('privileges/'))?.remedy
        : undefined,
    event: onDrivers(/^PrivilegeMissing$/),
  },
  {
    fault: 'datastore-gone',
    shows: (report) => failing(report, 'storage/datastore-accessible')?.remedy,
    event: onDrivers(/^DatastoreInaccessible$/),
  },
];

/** The same, of nodes and their VMs. */
export const nodeFaults: readonly FaultCase[] = [
  {
    fault: 'tools-stopped',
    shows: (report) => failing(report, 'node/tools-running')?.remedy,
    event: onDrivers(/^ToolsNotRunning$/),
  },
  {
    fault: 'disk-uuid-off',
    shows: (report) => failing(report, 'node/disk-enable-uuid')?.remedy,
    event: onDrivers(/^DiskUuidDisabled$/),
  },
  {
    fault: 'vm-deleted',
    shows: (report) => failing(report, 'node/vm-found')?.remedy,
    event: onDrivers(/^NodeVmNotFound$/),
  },
];

/** By tests of their own beside those. */
export const playedApart = [
  'datastore-full',
  'node-notready',
  'slow-vcenter',
  'session-expired',
  'csi-controller-killed',
];
