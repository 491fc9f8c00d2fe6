export interface FaultDescription {
  readonly name: string;
  /** What happens, in a line. */
  readonly summary: string;
  /** Where it shows: a condition, a check, an event. */
  readonly watch: string;
  /** Happens once and passes by itself: there is nothing to heal. */
  readonly once?: boolean;
  /** Needs the simulated vCenter. */
  readonly vcenter?: boolean;
  /** Why the remedy that is shown cannot be carried out in a sandbox; absent: it can, as it is printed. */
  readonly onlyHeal?: string;
}

/** What `vdoctl sandbox break` can do, in the order in which its help lists it. */
export const faultCatalogue = [
  {
    name: 'vcenter-down',
    summary: 'vCenter answers nobody',
    watch: 'condition VCenterReachable, check vcenter/tcp; pods keep their volumes',
    vcenter: true,
    onlyHeal: 'it is to start the vCenter, which is a part of the sandbox itself',
  },
  {
    name: 'slow-vcenter',
    summary: 'every call to vCenter takes two seconds longer',
    watch: 'check vcenter/latency, the dashboard and vdoctl logs; everything works, only later',
    vcenter: true,
    onlyHeal: 'there is neither load nor a network that could be looked at',
  },
  {
    name: 'bad-password',
    summary: 'somebody changes the password of the account and tells nobody',
    watch: 'condition CredentialsValid, check credentials/login; nobody locks the account by trying',
    vcenter: true,
  },
  {
    name: 'session-expired',
    summary: 'vCenter ends all sessions',
    watch: 'nothing: everybody logs in again',
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
    watch: 'check storage/free-space; new claims stay Pending with an event that says why',
    vcenter: true,
    onlyHeal: 'a simulated datastore cannot be enlarged or tidied up',
  },
  {
    name: 'datastore-gone',
    summary: 'the hosts lose the datastore shared-vmfs',
    watch: 'check storage/datastore-accessible',
    vcenter: true,
    onlyHeal: 'the hosts have no adapters, paths or NFS server to be repaired',
  },
  {
    name: 'tools-stopped',
    summary: 'VMware Tools stop in the VM of a node, so vCenter knows no addresses of it',
    watch: 'check node/tools-running',
    vcenter: true,
    onlyHeal: 'there is no guest in which VMware Tools could be started',
  },
  {
    name: 'disk-uuid-off',
    summary: 'the VM of a node loses disk.EnableUUID',
    watch: 'check node/disk-enable-uuid',
    vcenter: true,
  },
  {
    name: 'vm-deleted',
    summary: 'somebody deletes the VM of a node',
    watch: 'check node/vm-found',
    vcenter: true,
    onlyHeal: 'a VM that was deleted does not come back by a command',
  },
  {
    name: 'node-notready',
    summary: 'the kubelet of a node falls silent',
    watch:
      'check csi/workloads-ready of vdoctl doctor, and within a minute vdoctl status: both name the node and the remedy',
    onlyHeal: 'there is no kubelet to be started again',
  },
  {
    name: 'csi-controller-killed',
    summary: 'the pod of the storage controller is deleted without a warning',
    watch: 'condition StorageReady for a moment; volumes under way are neither lost nor doubled',
    once: true,
  },
] as const satisfies readonly FaultDescription[];

export type FaultName = (typeof faultCatalogue)[number]['name'];

export const faultNames: readonly string[] = faultCatalogue.map(({ name }) => name);

export const describeFault = (name: string): FaultDescription | undefined =>
  faultCatalogue.find((fault) => fault.name === name);
