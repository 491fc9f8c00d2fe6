import type { PrivilegeScope, RequiredRole } from '@vdo/checks/privileges/required-privileges';

export interface GrantTargets {
  readonly principal: string;
  /** Inventory paths. */
  readonly vmFolder: readonly string[];
  readonly datastore: readonly string[];
}

const fallback: Readonly<Record<PrivilegeScope, readonly string[]>> = {
  root: ['/'],
  'node-vms': ['/DATACENTER/vm/FOLDER_OF_THE_NODES'],
  datastores: ['/DATACENTER/datastore/NAME'],
  'file-service-clusters': ['/DATACENTER/host/CLUSTER'],
  ancestors: ['/DATACENTER', '/DATACENTER/host/CLUSTER'],
};

const orFallback = (given: readonly string[], scope: PrivilegeScope): readonly string[] =>
  given.length > 0 ? given : fallback[scope];

/** `/DC0/vm/k8s/prod` → `/DC0`, `/DC0/vm`, `/DC0/vm/k8s`. */
const above = (path: string): readonly string[] => {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.slice(0, -1).map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
};

const pathsOf = (scope: PrivilegeScope, targets: GrantTargets): readonly string[] => {
  if (scope === 'node-vms') return orFallback(targets.vmFolder, scope);
  if (scope === 'datastores') return orFallback(targets.datastore, scope);
  if (scope !== 'ancestors') return fallback[scope];
  return orFallback([...new Set([...targets.vmFolder, ...targets.datastore].flatMap(above))], scope);
};

const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const power = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** vCenter brings this role along. */
const isBuiltIn = ({ name }: RequiredRole): boolean => name === 'ReadOnly';

const govc = (roles: readonly RequiredRole[], targets: GrantTargets): readonly string[] => [
  '#!/bin/sh',
  '# Run with GOVC_URL, GOVC_USERNAME and GOVC_PASSWORD of an administrator. Words in capitals are to be filled in.',
  'set -eu',
  ...roles
    .filter((role) => !isBuiltIn(role))
    .map(
      ({ name, privileges }) =>
        `govc role.create ${name} ${privileges.join(' ')} || govc role.update ${name} ${privileges.join(' ')}`,
    ),
  ...roles.flatMap(({ name, scope, propagate }) =>
    pathsOf(scope, targets).map(
      (path) =>
        `govc permissions.set -principal ${shell(targets.principal)} -role ${name} -propagate=${propagate} ${shell(path)}`,
    ),
  ),
];

const powercli = (roles: readonly RequiredRole[], targets: GrantTargets): readonly string[] => [
  '# Run after Connect-VIServer as an administrator. Words in capitals are to be filled in.',
  `$principal = ${power(targets.principal)}`,
  ...roles
    .filter((role) => !isBuiltIn(role))
    .map(
      ({ name, privileges }) =>
        `if (-not (Get-VIRole -Name ${power(name)} -ErrorAction SilentlyContinue)) { New-VIRole -Name ${power(name)} -Privilege (Get-VIPrivilege -Id ${privileges.map(power).join(', ')}) }`,
    ),
  ...roles.flatMap(({ name, scope, propagate }) =>
    pathsOf(scope, targets).map((path) => {
      const entity =
        path === '/' ? '(Get-Folder -NoRecursion)' : `(Get-Inventory -Name ${power(path.split('/').at(-1) ?? '')})`;
      return `New-VIPermission -Entity ${entity} -Principal $principal -Role (Get-VIRole -Name ${power(name)}) -Propagate:$${propagate}`;
    }),
  ),
];

/** A script that makes the roles and gives them to the account. */
export const grantScript = (
  language: 'govc' | 'powercli',
  roles: readonly RequiredRole[],
  targets: GrantTargets,
): string => `${{ govc, powercli }[language](roles, targets).join('\n')}\n`;
