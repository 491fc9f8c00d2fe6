import { before } from '@vdo/base/cut-text';
import type { RequiredRole } from '@vdo/checks/facts/required-role';
import type { Ancestor, Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { type MoRef, moref, morefKey } from '@vdo/vsphere/wire/moref';
import { type Grant, type GrantTargets, isReader, wantedGrants } from './wanted-grants.ts';

export interface ScriptTargets {
  readonly principal: string;
  /** Inventory paths. */
  readonly vmFolder: readonly string[];
  readonly datastore: readonly string[];
  readonly cluster: readonly string[];
}

const orElse = (given: readonly string[], fallback: string): readonly string[] =>
  given.length > 0 ? given : [fallback];
const parts = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');
/** Stands for every host of a cluster: the script finds them when it runs. */
const everyHost = '*';

/** The inventory as far as the paths show it; each object is referred to by its path. */
const inventoryOf = (paths: readonly string[]): Ancestors => {
  const root: Ancestor = { ref: moref('Folder', '/'), name: '', parent: undefined };
  const found = new Map([[morefKey(root.ref), root]]);
  for (const path of paths) {
    let parent = root.ref;
    for (const [index, name] of parts(path).entries()) {
      const ref = refOf(
        `/${parts(path)
          .slice(0, index + 1)
          .join('/')}`,
      );
      found.set(morefKey(ref), { ref, name, parent });
      parent = ref;
    }
  }
  return found;
};
const refOf = (path: string): MoRef => moref(path.endsWith(`/${everyHost}`) ? 'HostSystem' : 'Folder', path);

/** `/DC0/host/C1/Resources/k8s` and `/DC0/host/C1` both belong to the cluster `/DC0/host/C1`. */
const clusterOf = (path: string): string => `/${parts(before(`${path}/`, '/Resources/')).join('/')}`;
const poolOf = (path: string): string => (path.includes('/Resources') ? path : `${clusterOf(path)}/Resources`);

/** The permissions for the paths, by the same rules as for a real vCenter. */
const grantsOf = (roles: readonly RequiredRole[], targets: ScriptTargets): readonly Grant[] => {
  const clusters = orElse(targets.cluster, '/DATACENTER/host/CLUSTER');
  const places = clusters.flatMap((path) => [poolOf(path), `${clusterOf(path)}/${everyHost}`]);
  const folders = orElse(targets.vmFolder, '/DATACENTER/vm/FOLDER_OF_THE_NODES');
  const datastores = orElse(targets.datastore, '/DATACENTER/datastore/NAME');
  const refs = (paths: readonly string[]) => paths.map((path) => refOf(`/${parts(path).join('/')}`));
  const objects: GrantTargets = {
    root: refOf('/'),
    folders: refs(folders),
    places: refs(places),
    datastores: refs(datastores),
    fileClusters: refs([...new Set(clusters.map(clusterOf))]),
  };
  return wantedGrants(roles, objects, inventoryOf([...folders, ...datastores, ...places]));
};

const isEveryHost = ({ path }: Grant): boolean => path.endsWith(`/${everyHost}`);
const holderOf = ({ path }: Grant): string => path.slice(0, -everyHost.length - 1);
const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const power = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const govc = (roles: readonly RequiredRole[], grants: readonly Grant[], principal: string): readonly string[] => [
  '#!/bin/sh',
  '# Run with GOVC_URL, GOVC_USERNAME and GOVC_PASSWORD of an administrator. Replace the words in capital letters.',
  'set -eu',
  ...roles
    .filter((role) => !isReader(role))
    .map(
      ({ name, privileges }) =>
        `govc role.create ${name} ${privileges.join(' ')} || govc role.update ${name} ${privileges.join(' ')}`,
    ),
  ...grants.map((grant) => {
    const set = `govc permissions.set -principal ${shell(principal)} -role ${grant.role} -propagate=${grant.propagate}`;
    return isEveryHost(grant)
      ? `govc find ${shell(holderOf(grant))} -type h | while read -r host; do ${set} "$host"; done`
      : `${set} ${shell(grant.path)}`;
  }),
];

/** `vdo@vsphere.local` → `VSPHERE.LOCAL\vdo`, as PowerCLI compares them. */
const domainName = (principal: string): string => {
  const at = principal.lastIndexOf('@');
  return at < 0 ? principal : `${principal.slice(at + 1).toUpperCase()}\\${principal.slice(0, at)}`;
};

const powercli = (roles: readonly RequiredRole[], grants: readonly Grant[], principal: string): readonly string[] => [
  '# Run after Connect-VIServer as an administrator. Replace the words in capital letters.',
  "$ErrorActionPreference = 'Stop'",
  `$principal = ${power(domainName(principal))}`,
  '$search = Get-View (Get-View ServiceInstance).Content.SearchIndex',
  'function Find-Object($path) {',
  '  $found = $search.FindByInventoryPath($path)',
  '  if (-not $found) { throw "$path does not exist" }',
  '  Get-VIObjectByVIView -MORef $found',
  '}',
  'function Grant-Role($entity, $role, $propagate) {',
  '  Get-VIPermission -Entity $entity -Principal $principal | Where-Object { $_.EntityId -eq $entity.Id } | Remove-VIPermission -Confirm:$false',
  '  New-VIPermission -Entity $entity -Principal $principal -Role (Get-VIRole -Name $role) -Propagate:$propagate',
  '}',
  ...roles
    .filter((role) => !isReader(role))
    .map(
      ({ name, privileges }) =>
        `if (-not (Get-VIRole -Name ${power(name)} -ErrorAction SilentlyContinue)) { New-VIRole -Name ${power(name)} -Privilege (Get-VIPrivilege -Id ${privileges.map(power).join(', ')}) }`,
    ),
  ...grants.map((grant) => {
    const role = `${power(grant.role)} $${grant.propagate}`;
    const find = (path: string): string => `(Find-Object ${power(path.slice(1))})`;
    if (isEveryHost(grant))
      return `foreach ($esx in Get-VMHost -Location ${find(holderOf(grant))}) { Grant-Role $esx ${role} }`;
    return `Grant-Role ${grant.path === '/' ? '(Get-Folder -NoRecursion)' : find(grant.path)} ${role}`;
  }),
];

/** A script that creates the roles and assigns them to the account. */
export const grantScript = (
  language: 'govc' | 'powercli',
  roles: readonly RequiredRole[],
  targets: ScriptTargets,
): string => `${{ govc, powercli }[language](roles, grantsOf(roles, targets), targets.principal).join('\n')}\n`;
