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

describe('a search on the documentation', () => {
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
