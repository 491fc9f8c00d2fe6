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
    ? 'Releases before 1.32 read the Secrets of all namespaces. That role is shipped separately: kubectl apply -f deploy/all-secrets-role.yaml. Or allow a later release.'
    : 'Apply the manifests of the running operator version: vdoctl install, helm upgrade, or kubectl apply --server-side -f deploy/operator.yaml.';

/**
 * Throws DriverRoleMissing if a role that the objects bind does not exist, or lacks rules that this operator ships. The API server would
 * accept the binding, and the failure would only show in the driver.
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
        ? `ClusterRole ${name} lacks a permission that the driver needs: ${lacking.replace(/ any$/, '')}`
        : `ClusterRole ${name}, which the driver needs, does not exist`,
      remedy: remedyFor(optional),
    });
  }
};
