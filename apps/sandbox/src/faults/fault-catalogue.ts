export interface FaultDescription {
  readonly name: string;
  /** What happens, in one line. */
  readonly summary: string;
  /** Where the fault is reported: a condition, a check, an event. */
  readonly watch: string;
  /** The effect is temporary: there is nothing to remove. */
  readonly once?: boolean;
  /** Needs the simulated vCenter. */
  readonly vcenter?: boolean;
  /** Why the printed remedy cannot be applied in a sandbox; absent: it can. */
  readonly onlyHeal?: string;
}

/** The faults of `vdoctl sandbox break`, in the order of its help. */
export const faultCatalogue = [
  {
    name: 'vcenter-down',
    summary: 'vCenter does not answer',
    watch: 'condition VCenterReachable, check vcenter/tcp; running pods keep their volumes',
    vcenter: true,
    onlyHeal: 'the remedy is to start vCenter, which is part of the sandbox',
  },
  {
    name: 'slow-vcenter',
    summary: 'every call to vCenter takes two seconds longer',
    watch: 'check vcenter/latency, the dashboard and vdoctl logs; everything works, but slowly',
    vcenter: true,
    onlyHeal: 'there is no load and no network that you could check',
  },
  {
    name: 'bad-password',
    summary: 'the password of the account is changed in vCenter only',
    watch:
      'condition CredentialsValid, check credentials/login; the account is not locked, because retries are limited',
    vcenter: true,
  },
  {
    name: 'session-expired',
    summary: 'vCenter ends all sessions',
    watch: 'vdoctl status stays Healthy, because all programs log in again',
    once: true,
    vcenter: true,
  },
  {
    name: 'privilege-lost',
    summary: 'the account loses its role on the folder of the node VMs',
    watch: 'condition PrivilegesSufficient, the privileges checks',
    vcenter: true,
  },
  {
    name: 'datastore-full',
    summary: 'all datastores are full',
    watch:
      'check storage/free-space; for a new claim: kubectl scale statefulset diary --replicas=4, then vdoctl events',
    vcenter: true,
    onlyHeal: 'a simulated datastore cannot be expanded or cleaned up',
  },
  {
    name: 'datastore-gone',
    summary: 'the hosts lose the datastore shared-vmfs',
    watch: 'check storage/datastore-accessible',
    vcenter: true,
    onlyHeal: 'the simulated hosts have no adapters, paths or NFS server to repair',
  },
  {
    name: 'tools-stopped',
    summary: 'VMware Tools stop in the VM of a node: no IP addresses in vCenter',
    watch: 'check node/tools-running',
    vcenter: true,
    onlyHeal: 'the simulated VM has no guest to start VMware Tools in',
  },
  {
    name: 'disk-uuid-off',
    summary: 'the VM of a node loses disk.EnableUUID',
    watch: 'check node/disk-enable-uuid',
    vcenter: true,
  },
  {
    name: 'vm-deleted',
    summary: 'the VM of a node is deleted',
    watch: 'check node/vm-found',
    vcenter: true,
    onlyHeal: 'no command can restore a deleted VM',
  },
  {
    name: 'node-notready',
    summary: 'the kubelet of a node stops reporting',
    watch:
      'check csi/workloads-ready of vdoctl doctor, and within a minute vdoctl status: both show the node and the remedy',
    onlyHeal: 'there is no kubelet to restart',
  },
  {
    name: 'csi-controller-killed',
    summary: 'the pod of the storage controller is deleted without a grace period',
    watch: 'condition StorageReady for a moment; volumes in creation are not lost and not created twice',
    once: true,
  },
] as const satisfies readonly FaultDescription[];

export type FaultName = (typeof faultCatalogue)[number]['name'];

export const faultNames: readonly string[] = faultCatalogue.map(({ name }) => name);

export const describeFault = (name: string): FaultDescription | undefined =>
  faultCatalogue.find((fault) => fault.name === name);
