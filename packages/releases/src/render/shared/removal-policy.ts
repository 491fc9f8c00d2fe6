import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys, names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from './admission-policies.ts';
import { managedLabels } from './labels.ts';

export const removalPolicyName = 'vdo-drivers';

const group = 'admissionregistration.k8s.io/v1';
/** What the request would result in: for a deletion, the object as it was, which may contain the permission. */
const left = "(request.operation == 'DELETE' ? oldObject : object)";
const counted = 'oldObject.status.volumes';
const isAllowed = `has(${left}.metadata.annotations) && '${annotationKeys.allowRemoval}' in ${left}.metadata.annotations`;
const leavesVolumes = `has(${left}.spec.deletionPolicy) && ${left}.spec.deletionPolicy == 'Orphan'`;

const ways = [
  `To count again: kubectl annotate --overwrite vspheredrivers cluster ${annotationKeys.runChecks}=again.`,
  `To keep the volumes without a driver: kubectl patch vspheredrivers cluster --type=merge -p '{"spec":{"deletionPolicy":"Orphan"}}'.`,
  `To continue anyway: kubectl annotate vspheredrivers cluster ${annotationKeys.allowRemoval}=true`,
].join(' ');

/** In CEL: what would lose its driver, and how old this information is. */
const reported = (lost: string): string =>
  `string(${counted}.total) + ' PersistentVolumes and ' + string(${counted}.attachments) + ' VolumeAttachments of ${names.csiDriver} (counted ' + ${counted}.countedAt + ') ${lost}. ${ways.replaceAll("'", "\\'")}'`;

const refuse = (expression: string, lost: string) => ({
  expression,
  message: `volumes of ${names.csiDriver} ${lost}`,
  messageExpression: reported(lost),
  reason: 'Invalid' as const,
});

/** A vCenter that was removed from the spec has none of the volumes, as far as their location is known. */
const vcentersKept = `oldObject.spec.vcenters.all(o, object.spec.vcenters.exists(n, n.server == o.server) || (${counted}.unplaced == 0 && !${counted}.vcenters.exists(v, v.server == o.server && v.volumes > 0)))`;

/**
 * Refuses changes that would take the driver or its vCenter away from volumes, before anything is marked. The API server decides by the count that
 * the operator keeps in the status (Kubernetes 1.30 and later), so it need not call anything that might not answer. Objects that are already marked,
 * all other edits, the operator itself, and requests with an explicit permission are allowed.
 */
export const renderRemovalPolicy = ({ namespace }: { readonly namespace: string }): readonly KubeObject[] => {
  const metadata = { name: removalPolicyName, labels: managedLabels };
  const account = `system:serviceaccount:${namespace}:${names.operator}`;
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
            apiGroups: [vsphereDrivers.group],
            apiVersions: [vsphereDrivers.version],
            operations: ['UPDATE', 'DELETE'],
            resources: [vsphereDrivers.plural],
          },
        ],
      },
      matchConditions: [
        { name: 'not-the-operator', expression: `request.userInfo.username != '${account}'` },
        { name: 'not-marked-yet', expression: '!has(oldObject.metadata.deletionTimestamp)' },
        {
          name: 'volumes-are-known',
          expression: `has(oldObject.status) && has(${counted}) && ${counted}.total + ${counted}.attachments > 0`,
        },
        { name: 'not-allowed', expression: `!(${isAllowed}) && !(${leavesVolumes})` },
      ],
      validations: [
        refuse("request.operation != 'DELETE'", 'would lose their driver'),
        refuse(
          "request.operation == 'DELETE' || !has(oldObject.spec.csi) || has(object.spec.csi)",
          'would lose their driver without spec.csi',
        ),
        refuse(
          `request.operation == 'DELETE' || ${vcentersKept}`,
          'exist, and some of them are on a vCenter that would be missing from spec.vcenters',
        ),
      ],
    },
  };
  const binding: ValidatingAdmissionPolicyBinding = {
    apiVersion: group,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: removalPolicyName, validationActions: ['Deny'] },
  };
  return [policy, binding];
};
