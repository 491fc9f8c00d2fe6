import { names } from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import { operatorGrants } from './operator-grants.ts';
import { operatorClusterRules, operatorNamespaceRules, operatorPlaceRules } from './operator-rbac.ts';

/** Where objects of the drivers can be: what the operator may delete it may have made. */
export interface OwnedPlace {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** Absent for kinds that have none. */
  readonly namespace?: string;
  /** Absent: under any name, and the operator may list them. */
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

/** From the operator's own rights, so that no object can be made that is not looked for. */
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
