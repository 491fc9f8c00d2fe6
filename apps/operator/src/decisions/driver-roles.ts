import { VdoError } from '@vdo/base/vdo-error';
import type { ClusterRole, PolicyRule } from '@vdo/kube/types/cluster';
import type { AnyObject } from '@vdo/kube/types/object';
import { boundRoles } from '@vdo/releases/render/roles/bound-roles';

const rightsOf = (rules: readonly PolicyRule[]): readonly string[] =>
  rules.flatMap(({ apiGroups = [], resources = [], resourceNames = ['any'], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        resourceNames.flatMap((name) => verbs.map((verb) => `${verb} ${resource}.${group} ${name}`)),
      ),
    ),
  );

const remedyFor = (optional: boolean): string =>
  optional
    ? 'Releases before 1.32 read the Secrets of all namespaces, which is shipped apart: kubectl apply -f deploy/all-secrets-role.yaml. Or let a later release be picked.'
    : 'Apply the manifests of the version of the operator that runs: vdoctl install, helm upgrade, or kubectl apply --server-side -f deploy/operator.yaml.';

/**
 * Throws DriverRoleMissing if a role that the objects bind is not there as this operator ships it. A binding to nothing would be
 * accepted by the API server, and the driver would find out by itself.
 */
export const requireRoles = (objects: readonly AnyObject[], present: readonly ClusterRole[]): void => {
  for (const { name, rules, optional = false } of boundRoles(objects)) {
    const found = present.find(({ metadata }) => metadata.name === name);
    const granted = new Set(rightsOf(found?.rules ?? []));
    const [lacking] = rightsOf(rules).filter((right) => !granted.has(right));
    if (lacking === undefined) continue;
    throw new VdoError({
      code: 'DriverRoleMissing',
      message: found
        ? `ClusterRole ${name} lacks a right that the driver needs: ${lacking.replace(/ any$/, '')}`
        : `ClusterRole ${name}, which the driver needs, is not in the cluster`,
      remedy: remedyFor(optional),
    });
  }
};
