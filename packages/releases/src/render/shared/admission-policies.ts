import { names, parameterKeys } from '@vdo/config/names';
import { lackOfAll, type VCenterFeatureId } from '@vdo/config/vcenter-features';
import type { KubeObject } from '@vdo/kube/types/object';
import { snapshotGroup } from '@vdo/kube/types/snapshots';
import { managedLabels } from './labels.ts';

export interface ValidatingAdmissionPolicy extends KubeObject {
  readonly spec: {
    readonly failurePolicy: 'Fail' | 'Ignore';
    readonly matchConstraints: {
      readonly resourceRules: readonly {
        readonly apiGroups: readonly string[];
        readonly apiVersions: readonly string[];
        readonly operations: readonly string[];
        readonly resources: readonly string[];
      }[];
    };
    readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
    readonly validations: readonly Validation[];
  };
}

export interface ValidatingAdmissionPolicyBinding extends KubeObject {
  readonly spec: { readonly policyName: string; readonly validationActions: readonly string[] };
}

interface Validation {
  readonly expression: string;
  readonly message: string;
  /** In CEL; `message` is used if it cannot be evaluated. */
  readonly messageExpression?: string;
  readonly reason: 'Invalid' | 'Forbidden';
}

interface Policy {
  readonly name: string;
  readonly resource: { readonly group: string; readonly version: string; readonly plural: string };
  /** Selects objects of this driver: all others are not checked. */
  readonly ours: string;
  /** The fields that its rules read. */
  readonly fields: readonly string[];
  readonly validations: readonly Validation[];
}

const group = 'admissionregistration.k8s.io/v1';
const storage = (plural: string) => ({ group: 'storage.k8s.io', version: 'v1', plural });
const list = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`;
/** Whether a field, by its path in the object, is unchanged. */
const isUnchanged = (path: string): string => {
  const [before, now] = [`oldObject.${path}`, `object.${path}`];
  return `(has(${now}) == has(${before}) && (!has(${now}) || ${now} == ${before}))`;
};

/** An update is judged by its changes of these fields: existing objects stay editable. */
const check = (expression: string, message: string, fields: readonly string[]): Validation => ({
  expression: `(request.operation == 'UPDATE' && ${fields.map(isUnchanged).join(' && ')}) || (${expression})`,
  message,
  reason: 'Invalid',
});
const ofClass = ['provisioner', 'parameters'];

const reserved = parameterKeys.prefix;
const diskFileSystems = ['ext4', 'ext3', 'xfs', 'btrfs'];
const fileSystems = [...diskFileSystems, 'nfs', 'nfs4'];
// Keys are case-insensitive; those with the reserved prefix belong to the sidecars.
const own = (key: string): string => `!${key}.startsWith('${reserved}')`;
/** True if the condition holds for each parameter with a name, in any case; `v` is its value. */
const parameter = (name: string, condition: string): string =>
  `!has(object.parameters) || object.parameters.all(k, k.lowerAscii() != '${name}' || ${condition.replaceAll('$v', 'object.parameters[k]')})`;

const storageClasses: Policy = {
  name: 'storageclasses',
  resource: storage('storageclasses'),
  ours: `object.provisioner == '${names.csiDriver}'`,
  fields: ofClass,
  validations: [
    check(
      `!has(object.parameters) || object.parameters.all(k, k.lowerAscii() in ${list(['storagepolicyname', 'datastoreurl'])} || !(${own('k.lowerAscii()')}))`,
      'only the parameters storagepolicyname, datastoreurl and csi.storage.k8s.io/fstype are allowed, in upper or lower case',
      ofClass,
    ),
    check(
      parameter('datastoreurl', "$v.startsWith('ds:///')"),
      'datastoreurl must be the URL that vCenter shows in the summary of the datastore, such as ds:///vmfs/volumes/5f3c/',
      ofClass,
    ),
    check(
      parameter('storagepolicyname', '$v.trim().size() > 0'),
      'storagepolicyname must be the name of a storage policy in vCenter; omit it for none',
      ofClass,
    ),
    check(
      parameter(`${reserved}fstype`, `$v == '' || $v.lowerAscii() in ${list(fileSystems)}`),
      `csi.storage.k8s.io/fstype must be one of ${fileSystems.join(', ')}`,
      ofClass,
    ),
    check(
      "!has(object.reclaimPolicy) || object.reclaimPolicy in ['Delete', 'Retain']",
      'reclaimPolicy must be Delete or Retain: disks are not recycled',
      ['provisioner', 'reclaimPolicy'],
    ),
  ],
};

const attributesClasses: Policy = {
  name: 'volumeattributesclasses',
  resource: storage('volumeattributesclasses'),
  ours: `object.driverName == '${names.csiDriver}'`,
  fields: ['driverName', 'parameters'],
  validations: [
    check(
      "has(object.parameters) && object.parameters.all(k, k.lowerAscii() == 'storagepolicyname' && object.parameters[k].trim().size() > 0)",
      'storagepolicyname is the only allowed parameter: only the storage policy of a volume can be changed',
      ['driverName', 'parameters'],
    ),
  ],
};

const snapshotClasses: Policy = {
  name: 'volumesnapshotclasses',
  resource: { group: snapshotGroup, version: 'v1', plural: 'volumesnapshotclasses' },
  ours: `object.driver == '${names.csiDriver}'`,
  fields: ['driver', 'parameters'],
  validations: [
    check(
      `!has(object.parameters) || object.parameters.all(k, !(${own('k')}))`,
      'parameters must be empty: the driver has no parameters for snapshots',
      ['driver', 'parameters'],
    ),
  ],
};

const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const shared = "['ReadWriteMany', 'ReadOnlyMany']";
const ofVolume = ['spec.csi', 'spec.accessModes', 'spec.volumeMode'];

const volumes: Policy = {
  name: 'persistentvolumes',
  resource: { group: '', version: 'v1', plural: 'persistentvolumes' },
  ours: `has(object.spec.csi) && object.spec.csi.driver == '${names.csiDriver}'`,
  fields: ofVolume,
  validations: [
    check(
      `object.spec.csi.volumeHandle.matches('^(file:)?${uuid}$') || object.spec.csi.volumeHandle.matches('^\\\\[[^\\\\]]+\\\\] .+[.]vmdk$')`,
      'spec.csi.volumeHandle must be the UUID of a first-class disk, file: and the UUID of a file share, or [datastore] path.vmdk',
      ofVolume,
    ),
    check(
      `!has(object.spec.volumeMode) || object.spec.volumeMode != 'Block' || !object.spec.accessModes.exists(m, m in ${shared})`,
      'a raw block device can be used on one node only: use ReadWriteOnce or ReadWriteOncePod, or volumeMode Filesystem',
      ofVolume,
    ),
    check(
      `object.spec.csi.volumeHandle.startsWith('file:') || !object.spec.accessModes.exists(m, m == 'ReadWriteMany')`,
      'a disk can be used on one node only: ReadWriteMany needs a file share (file: and its UUID)',
      ofVolume,
    ),
    check(
      `!has(object.spec.csi.fsType) || object.spec.csi.fsType == '' || object.spec.csi.fsType.lowerAscii() in ${list(fileSystems)}`,
      `spec.csi.fsType must be one of ${fileSystems.join(', ')}`,
      ofVolume,
    ),
  ],
};

type KnownVCenters = Parameters<typeof lackOfAll>[1];

const withoutShareClass = parameter(`${reserved}fstype`, `!($v.lowerAscii() in ${list(['nfs', 'nfs4'])})`);

/** With an additional rule if no vCenter is new enough for what the object requests. */
const lacking = (policy: Policy, feature: VCenterFeatureId, expression: string, vcenters: KnownVCenters): Policy => {
  const lack = lackOfAll(feature, vcenters);
  return lack === undefined
    ? policy
    : { ...policy, validations: [...policy.validations, check(expression, lack, policy.fields)] };
};

const toObjects = ({ name, resource, ours, validations }: Policy): readonly KubeObject[] => {
  const metadata = { name: `vdo-csi-${name}`, labels: managedLabels };
  const policy: ValidatingAdmissionPolicy = {
    apiVersion: group,
    kind: 'ValidatingAdmissionPolicy',
    metadata,
    spec: {
      // An error in a rule must not block anybody's work.
      failurePolicy: 'Ignore',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [resource.group],
            apiVersions: [resource.version],
            operations: ['CREATE', 'UPDATE'],
            resources: [resource.plural],
          },
        ],
      },
      matchConditions: [{ name: 'ours', expression: ours }],
      validations,
    },
  };
  const binding: ValidatingAdmissionPolicyBinding = {
    apiVersion: group,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: metadata.name, validationActions: ['Deny'] },
  };
  return [policy, binding];
};

/**
 * Refuses mistakes in objects of the storage driver when they are created, as far as no lookup is needed. The API server evaluates the rules
 * itself (Kubernetes 1.30 and later), so there is no webhook that could block a cluster. The driver checks everything again.
 */
export const renderAdmissionPolicies = (options: {
  /** The cluster has, or will have, the snapshot API. */
  readonly snapshots: boolean;
  /** The cluster has VolumeAttributesClass v1 (Kubernetes 1.34 and later). */
  readonly attributesClasses: boolean;
  /** What is known about the vCenters. */
  readonly vcenters: KnownVCenters;
}): readonly KubeObject[] =>
  [
    lacking(storageClasses, 'file-volumes', withoutShareClass, options.vcenters),
    lacking(volumes, 'file-volumes', "!object.spec.csi.volumeHandle.startsWith('file:')", options.vcenters),
    ...(options.snapshots ? [lacking(snapshotClasses, 'snapshots', 'false', options.vcenters)] : []),
    ...(options.attributesClasses ? [lacking(attributesClasses, 'policy-change', 'false', options.vcenters)] : []),
  ].flatMap(toObjects);
