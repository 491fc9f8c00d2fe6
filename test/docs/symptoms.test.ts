import { describe, expect, it } from 'vitest';
import { pages, read } from './repository.ts';
import { createSearch, sectionsOf } from './search.ts';

const guide = 'docs/guides/troubleshooting.md';
const search = createSearch(pages().flatMap((page) => sectionsOf(page, read(page))));

/** What people type: messages and titles as they stand in the issues of the Go drivers, and the section that must answer. */
const symptoms: readonly (readonly [query: string, heading: RegExp])[] = [
  ['node stuck uninitialized taint cloud provider', /uninitialized/],
  ['0/3 nodes are available: untolerated taint node.cloudprovider.kubernetes.io/uninitialized', /uninitialized/],
  ['Unable to find VM by UUID. VM UUID', /VM by UUID/],
  ['failed to get VM by UUID no VM found', /VM by UUID/],
  ['wrong ProviderID uuid does not match system uuid', /providerID/],
  ['no preferred addresses found; known addresses: []', /no preferred addresses/],
  ['deleted VM in vcenter, node not removed from cluster', /Node object stays/],
  ['x509: certificate signed by unknown authority', /x509/],
  ['thumbprint does not match vcenter certificate renewed', /[Tt]humbprint/],
  ['ServerFaultCode: Cannot complete login due to an incorrect user name or password', /Cannot complete login/],
  ['vsphere csi user account locked', /account is locked/],
  ['failed to provision volume NoPermission', /NoPermission/],
  ['ServerFaultCode: Permission to perform this operation was denied', /NoPermission/],
  ['dial tcp i/o timeout vcenter 443', /dial tcp/],
  ['context deadline exceeded', /context deadline exceeded/],
  ['The session is not authenticated', /session is not authenticated/],
  ['PVC pending waiting for a volume to be created by external provisioner csi.vsphere.vmware.com', /stays Pending/],
  ['failed to get shared datastores in kubernetes cluster', /No datastore found/],
  ['No compatible datastores found for accessibility requirements', /No datastore found/],
  ['no datastore found satisfying', /No datastore found/],
  ['datastore specified in the storage class is not accessible to all nodes', /No datastore found/],
  ['storage policy not found', /Storage policy/],
  ['insufficient disk space on datastore', /Insufficient disk space/],
  ['no topology key found on CSINode', /topology key/],
  ['no datastores found to create file volume', /file volume/],
  ["Multi-Attach error for volume is already exclusively attached to one node and can't be attached", /Multi-Attach/],
  ['FailedAttachVolume already attached', /FailedAttachVolume/],
  ['Failed to attach disk The resource volume is in use', /FailedAttachVolume/],
  ['CSINode does not contain driver csi.vsphere.vmware.com', /CSINode does not contain/],
  ['MountVolume.MountDevice failed rpc error NotFound disk not attached to node', /MountDevice/],
  ['disk.EnableUUID', /EnableUUID/],
  ['volume stuck detaching', /stuck detaching/],
  ['VolumeAttachment failed to detach from deleted node', /stuck detaching/],
  ['node(s) exceed max volume count', /max volume count/],
  ['wrong fs type, bad option, bad superblock', /bad superblock/],
  ['volume with existing snapshots cannot be expanded', /cannot be expanded/],
  ['no matches for kind VolumeSnapshot', /VolumeSnapshot/],
  ['PV stays hanging in released state', /Released/],
  ['orphan volumes in vcenter after pvc deleted', /[Oo]rphan/],
  ['ImagePullBackOff driver pods', /ImagePullBackOff/],
  ['violates PodSecurity', /PodSecurity/],
];

/**
 * Issues and pull requests of the Go drivers, whose title or message this is: csi is kubernetes-sigs/vsphere-csi-driver, cpi is
 * kubernetes/cloud-provider-vsphere.
 */
const reported: readonly (readonly [issue: string, query: string, heading: RegExp])[] = [
  ['csi#124', 'failed to attach: node has no NodeID annotation', /CSINode does not contain/],
  [
    'csi#125',
    'Multi-Attach error for volume Volume is already used by pod(s), unable to failover pod to another node',
    /Multi-Attach/,
  ],
  [
    'csi#143',
    'failed to provision volume with StorageClass: rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    /context deadline exceeded/,
  ],
  ['csi#148', 'Cannot delete orphan persistent volume, vCenter still lists it under Container volumes', /Orphan/],
  ['csi#191', 'attachvolume.attach failed for volume has no nodeid annotation', /CSINode does not contain/],
  ['csi#196', 'vSphere CSI PVC in pending state', /stays Pending/],
  ['csi#214', "failed to find VirtualMachine for node. Error: virtual machine wasn't found", /VM by UUID/],
  ['csi#217', 'PV stays hanging in released state', /Released/],
  ['csi#251', 'how to remove the orphan volume under Cloud Native Storage Container Volumes', /Orphan/],
  [
    'csi#267',
    'Failed to delete PV volumes from vCenter with FaultCode: NotAuthenticated',
    /session is not authenticated/,
  ],
  ['csi#348', 'No compatible datastore found for storagePolicy', /no compatible datastore/],
  ['csi#429', 'VolumeAttachment fails with err ServerFaultCode: NoPermission', /NoPermission/],
  ['csi#468', 'CNS: Failed to attach disk because missing SCSI controller, once 60 is reached', /Too many disks/],
  [
    'csi#478',
    "detach disk fails with Invalid configuration for device '0', snapshot of the node VM",
    /node VM has a snapshot/,
  ],
  ['csi#502', 'PV was in Released status but the persistentVolumeReclaimPolicy is Delete', /Released/],
  [
    'csi#548',
    'failed to get shared datastores in kubernetes cluster. Error: Empty List of Node VMs returned from nodeManager',
    /No datastore found/,
  ],
  ['csi#826', 'Datastore specified in the storage class is not accessible to all nodes', /No datastore found/],
  ['csi#853', 'Datastore not accessible to all nodes', /No datastore found/],
  [
    'csi#943',
    'disk not attached to node, Unable to attach or mount volumes: timed out waiting for the condition',
    /MountDevice/,
  ],
  ['csi#1348', 'Failed to create new client. x509: certificate is not valid for any names', /x509/],
  [
    'csi#1479',
    'waiting for a volume to be created, either by external provisioner csi.vsphere.vmware.com or manually created by system administrator',
    /stays Pending/,
  ],
  ['csi#1658', 'ReadWriteMany PVC stuck in Pending, vSAN File Services not enabled', /ReadWriteMany/],
  [
    'csi#1787',
    'MountVolume.MountDevice failed for volume : rpc error: code = NotFound desc = disk not attached to node',
    /MountDevice/,
  ],
  [
    'csi#2284',
    '0/3 nodes are available: 3 node(s) had untolerated taint {node.cloudprovider.kubernetes.io/uninitialized: true}',
    /uninitialized/,
  ],
  [
    'csi#2397',
    "Can't connect RWX, error no datastores found to create file volume, vsan file service may be disabled",
    /file volume/,
  ],
  ['csi#2522', 'CNS: Failed to retrieve datastore for vol', /not found in CNS/],
  ['csi#2623', 'PVC Expansion Fails, volume with existing snapshots', /cannot be expanded/],
  [
    'csi#2954',
    'PVCs are Bound via dynamic provisioning, MountVolume.MountDevice failed, not attached to node',
    /MountDevice/,
  ],
  ['csi#3787', 'account lockout during password rotation, InvalidLogin', /account is locked/],
  ['csi#1331', '0/5 nodes are available: 4 node(s) exceed max volume count', /max volume count/],
  ['csi#1249', 'Multi-Attach error for RWO volume when Node VM is shutdown before Pods are evicted', /Multi-Attach/],
  [
    'cpi#299',
    'vsphere-cloud-controller-manager crashes with error: no preferred addresses found; known addresses: []',
    /no preferred addresses/,
  ],
  [
    'cpi#479',
    'Should CPI delete an unhealthy node when it cannot confirm its existence in vCenter',
    /Node object stays/,
  ],
  ['cpi#680', 'vSphere CPI never deletes a node, the VM is removed from the vSphere inventory', /Node object stays/],
];

describe('a search on the documentation', () => {
  it.each(reported)('answers %s, %j, first with the section for it', (_issue, query, heading) => {
    const [first] = search(query);
    expect(`${first?.page}: ${first?.heading}`).toMatch(new RegExp(`^${guide}: .*${heading.source}`));
  });

  it('covers at least 25 issues of the Go drivers', () => {
    expect(new Set(reported.map(([issue]) => issue)).size).toBeGreaterThanOrEqual(25);
  });

  it.each(symptoms)('answers %j first with the section for it', (query, heading) => {
    const [first] = search(query);
    expect(`${first?.page}: ${first?.heading}`).toMatch(new RegExp(`^${guide}: .*${heading.source}`));
  });

  it('covers at least 25 symptoms, each of them in a section that shows a command and a remedy', () => {
    expect(new Set(symptoms.map(([, heading]) => heading.source)).size).toBeGreaterThanOrEqual(25);
    const sections = read(guide)
      .split(/^(?=#{2,3} )/m)
      .filter((part) => part.startsWith('### '));
    expect(sections.length).toBeGreaterThanOrEqual(25);
    const parts = ['**You see:**', '**It means:**', '**Check:**', '**Remedy:**', '**More:**'];
    expect(sections.filter((section) => !parts.every((part) => section.includes(part)))).toEqual([]);
  });
});
