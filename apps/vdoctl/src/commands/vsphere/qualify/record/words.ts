import { typeTable } from '@vdo/vsphere/wire/table/type-table';

/** Words of the vSphere API that the type table does not have. They reveal nothing about an inventory. */
const others = [
  // CNS and kinds of Kubernetes
  ...'BLOCK FILE VANILLA KUBERNETES PERSISTENT_VOLUME PERSISTENT_VOLUME_CLAIM POD READ_ONLY READ_WRITE NO_ACCESS NFSv3 NFSv4.1'.split(
    ' ',
  ),
  ...'VOLUME_NAME VOLUME_TYPE HEALTH_STATUS DATASTORE_ACCESSIBILITY_STATUS DATASTORE_URL POLICY_ID BACKING_OBJECT_DETAILS'.split(
    ' ',
  ),
  ...'green yellow red unknown accessible inaccessible compliant nonCompliant REQUIREMENT RESOURCE STORAGE'.split(' '),
  // Folders that every datacenter has, and parts of paths and URLs
  ...'vm host datastore network Datacenters ds vmfs volumes vsan fcd file http https www w3 org schemas xmlsoap soap envelope'.split(
    ' ',
  ),
  ...'2001 XMLSchema XMLSchema-instance urn vim25 vim pbm vmomi InventoryServiceTag InventoryServiceCategory GLOBAL'.split(
    ' ',
  ),
  // Names that the client gives to its own objects
  ...'vms above pools hosts clusters datastores 192.0.2.1 192.0.2.2 vimServiceVersions.xml vsanServiceVersions.xml Temporary user handle'.split(
    ' ',
  ),
  ...'GET POST DELETE PATCH * ~action'.split(' '),
  ...'rest api com vmware cis tagging tag category tag-association session id action sdk vsanHealth about'.split(' '),
  ...'list-tags-for-category list-attached-tags list-attached-tags-on-objects attach detach create delete get'.split(
    ' ',
  ),
  ...'SINGLE MULTIPLE create_spec associable_types cardinality object_id object_ids tag_id tag_ids category_id used_by value'.split(
    ' ',
  ),
  // Names of managers and well-known objects
  ...'ServiceInstance SessionManager PropertyCollector ViewManager SearchIndex TaskManager AuthorizationManager propertyCollector'.split(
    ' ',
  ),
  ...'VsanVcClusterConfigSystem vsan-cluster-config-system cns-volume-manager CnsVolumeManager vStorageObjectManager'.split(
    ' ',
  ),
  ...'EnableUUID TRUE FALSE true false en en_US vpx VirtualCenter VMware vCenter Server VMFS NFS NFS41 VVOL PMEM'.split(
    ' ',
  ),
  ...'disk.EnableUUID guestinfo k8s-region k8s-zone app build vdo soapenv Client ServerFaultCode System.Read'.split(
    ' ',
  ),
];

let words: ReadonlySet<string> | undefined;

/** Everything that may stay unchanged in a record. A VM with one of these names reveals nothing. */
export const apiWords = (): ReadonlySet<string> => {
  if (words) return words;
  const { types, enums, methods, parents } = typeTable();
  const privileges = [...methods.values()].flatMap(({ privilege }) => privilege ?? []);
  words = new Set([
    ...others,
    ...[...types.values()].flatMap(({ name, fields }) => [
      name,
      `ArrayOf${name}`,
      ...fields.map((field) => field.name),
    ]),
    ...[...enums.values()].flatMap(({ name, values }) => [name, ...values]),
    ...[...methods.values()].flatMap(({ name, params }) => [name, ...params.map((param) => param.name)]),
    ...privileges,
    ...[...parents.keys()].flatMap((version) => version.slice(version.indexOf('/') + 1).split('_')),
  ]);
  return words;
};
