import type { ErrorCode } from '@vdo/base/error-codes';

/** A symptom that people should hear of. Each has its page in docs/runbooks. */
export interface Alert {
  readonly name: string;
  /** PromQL. */
  readonly expr: string;
  /** How long the symptom must last. */
  readonly for: string;
  readonly severity: 'critical' | 'warning';
  /** One line, with the labels of the series. */
  readonly summary: string;
  /** The summary without labels, for `vdoctl explain`. */
  readonly fact: string;
  /** What follows from it. */
  readonly description: string;
  /** What vdoctl explain says instead of a summary with labels, which are known only when the alert fires. */
  readonly general?: string;
}

const condition = (type: string, status: 'True' | 'False'): string =>
  `max by (reason) (vdo_condition{type="${type}",status="${status}"}) == 1`;

/** What the caller did wrong is no failure of the driver. A disk or a VM that is not found is one. */
const callerErrors = [
  'Cancelled',
  'InvalidArgument',
  'ListTokenInvalid',
  'SnapshotNotFound',
  'Unimplemented',
  'VolumeCapabilityUnsupported',
  'VolumeConflict',
  'VolumeNotFound',
  'VolumeParametersInvalid',
  'VolumeSizeInvalid',
] as const satisfies readonly ErrorCode[];
const notFailed = ['OK', ...callerErrors].join('|');

export const alerts: readonly Alert[] = [
  {
    name: 'VdoDriversUnavailable',
    expr: condition('Available', 'False'),
    for: '5m',
    severity: 'critical',
    summary: 'The vSphere drivers are not available ({{ $labels.reason }}).',
    fact: 'The vSphere drivers have not been available for 5 minutes.',
    description: 'New nodes are not initialized, or volumes are not created, attached or mounted.',
  },
  {
    name: 'VdoDegraded',
    expr: condition('Degraded', 'True'),
    for: '15m',
    severity: 'warning',
    summary: 'The vSphere drivers are degraded ({{ $labels.reason }}).',
    fact: 'The vSphere drivers have been degraded for 15 minutes.',
    description: 'The drivers run, but a part of them, or something that they need, does not work.',
  },
  {
    name: 'VdoStalled',
    expr: condition('Stalled', 'True'),
    for: '15m',
    severity: 'warning',
    summary: 'The operator cannot continue without a manual change ({{ $labels.reason }}).',
    fact: 'The operator has needed a manual change for 15 minutes.',
    description:
      'The operator cannot do what the VSphereDrivers resource specifies until you change something. Running drivers keep running.',
  },
  {
    name: 'VdoVCenterUnreachable',
    expr: condition('VCenterReachable', 'False'),
    for: '10m',
    severity: 'critical',
    summary: 'A vCenter does not answer the operator ({{ $labels.reason }}).',
    fact: 'A vCenter has not answered the operator for 10 minutes.',
    description: 'Mounted volumes stay mounted. No volume is created or attached, and no node is initialized.',
  },
  {
    name: 'VdoCredentialsRejected',
    expr: condition('CredentialsValid', 'False'),
    for: '5m',
    severity: 'critical',
    summary: 'A vCenter rejects the account of the drivers ({{ $labels.reason }}).',
    fact: 'A vCenter has rejected the account of the drivers for 5 minutes.',
    description: 'The drivers do not try to log in again for now, so that the account is not locked.',
  },
  {
    name: 'VdoNodesUninitialized',
    expr: 'max(vdo_nodes{state="total"}) - max(vdo_nodes{state="initialized"}) > 0',
    for: '15m',
    severity: 'warning',
    general: 'Nodes have not been initialized for more than 15 minutes.',
    summary: '{{ $value }} nodes have not been initialized for more than 15 minutes.',
    fact: 'Nodes have not been initialized for more than 15 minutes.',
    description: 'Pods are not scheduled to a node before the cloud controller manager has found its VM.',
  },
  {
    name: 'VdoVolumeOperationsFailing',
    expr: [
      `sum by (method) (rate(vdo_csi_operations_total{code!~"${notFailed}"}[15m]))`,
      '/ sum by (method) (rate(vdo_csi_operations_total[15m])) > 0.2',
      `and sum by (method) (increase(vdo_csi_operations_total{code!~"${notFailed}"}[15m])) > 3`,
    ].join(' '),
    for: '15m',
    severity: 'warning',
    general: 'More than a fifth of the calls of one CSI method have failed for 15 minutes.',
    summary: '{{ $labels.method }} fails in {{ $value | humanizePercentage }} of all calls.',
    fact: 'More than a fifth of the calls of a kind to the storage driver have failed for 15 minutes.',
    description: 'Claims stay pending, or pods wait for their volumes.',
  },
  {
    name: 'VdoCheckFailing',
    expr: 'sum by (check, object_kind) (vdo_check_status{status="Fail"}) > 0',
    for: '30m',
    severity: 'warning',
    general: 'A health check has failed for 30 minutes.',
    summary: 'Health check {{ $labels.check }} fails for {{ $value }} of kind {{ $labels.object_kind }}.',
    fact: 'A health check has failed for 30 minutes.',
    description: 'The status of the VSphereDrivers resource names the objects and the remedy for each.',
  },
  {
    name: 'VdoOperatorMissing',
    expr: 'absent(vdo_leader{lease="vmware-system-vdo/vdo-operator"} == 1)',
    for: '15m',
    severity: 'warning',
    summary: 'No operator holds its Lease.',
    fact: 'No operator has held its Lease for 15 minutes.',
    description: 'The drivers keep running, but they are not repaired or upgraded, and their status is not updated.',
  },
];

/** `VdoVCenterUnreachable` → `vdo-vcenter-unreachable`. */
export const runbookOf = ({ name }: Pick<Alert, 'name'>): string =>
  `docs/runbooks/${name
    .replace('VCenter', 'Vcenter')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()}.md`;
