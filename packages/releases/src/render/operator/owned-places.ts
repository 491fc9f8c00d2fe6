import { names } from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import { operatorGrants } from './operator-grants.ts';
import { operatorClusterRules, operatorNamespaceRules, operatorPlaceRules } from './operator-rbac.ts';

/** Where objects of the drivers can be: what the operator may delete, it may have created. */
export interface OwnedPlace {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  /** Absent: with any name, and the operator may list them. */
  readonly names?: readonly string[];
}

const kinds: Readonly<Record<string, string>> = {
  csidrivers: 'CSIDriver',
  storageclasses: 'StorageClass',
  volumesnapshotclasses: 'VolumeSnapshotClass',
  validatingadmissionpolicies: 'ValidatingAdmissionPolicy',
  validatingadmissionpolicybindings: 'ValidatingAdmissionPolicyBinding',
  clusterroles: 'ClusterRole',
  clusterrolebindings: 'ClusterRoleBinding',
  roles: 'Role',
  rolebindings: 'RoleBinding',
  secrets: 'Secret',
  configmaps: 'ConfigMap',
  services: 'Service',
  serviceaccounts: 'ServiceAccount',
  deployments: 'Deployment',
  daemonsets: 'DaemonSet',
  networkpolicies: 'NetworkPolicy',
  poddisruptionbudgets: 'PodDisruptionBudget',
};

const kindOf = (plural: string): string => {
  const kind = kinds[plural];
  if (kind === undefined) throw new Error(`${plural} may be deleted, but their kind is not listed`);
  return kind;
};

const placesOf = (rules: readonly PolicyRule[], namespace?: string): readonly OwnedPlace[] =>
  rules
    .filter(({ verbs }) => verbs.includes('delete'))
    .flatMap(({ apiGroups = [], resources = [], resourceNames }) =>
      apiGroups.flatMap((group) =>
        resources.map((plural) => ({
          group,
          plural,
          kind: kindOf(plural),
          ...(namespace === undefined ? {} : { namespace }),
          ...(resourceNames ? { names: resourceNames } : {}),
        })),
      ),
    );

/** Derived from the operator's own permissions, so that every object that it can create is also searched for. */
export const ownedPlaces = (namespace: string): readonly OwnedPlace[] => {
  const grants = operatorGrants();
  const home = (place: string): string => (place === names.namespace ? namespace : place);
  return [
    ...placesOf(grants.cluster),
    ...grants.places.flatMap(({ namespace: place, rules }) => placesOf(rules, home(place))),
    ...placesOf(operatorClusterRules),
    ...placesOf(operatorNamespaceRules, namespace),
    ...operatorPlaceRules.flatMap(({ namespace: place, rules }) => placesOf(rules, place)),
  ];
};
