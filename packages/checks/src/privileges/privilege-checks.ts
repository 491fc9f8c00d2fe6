import { morefKey } from '@vdo/vsphere/wire/moref';
import { applyUser } from '../administrator.ts';
import { type Check, fail, pass, skipped, unknown, type Verdict, warn } from '../check.ts';
import { everyAccount } from '../credentials/secret-keys.ts';
import type { PrivilegeScope } from '../facts/required-role.ts';
import type { PrivilegeFacts, RoleFacts, VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { few } from '../not-read.ts';
import { placesOf } from '../storage/segments.ts';
import { vcenterObject } from '../vcenter/reachability.ts';

const notRead = 'vcenter/answers, credentials/login and node/vm-found';
const userOf = ({ secret }: VCenterFacts): string => secret.lookup?.account?.username ?? 'USER@DOMAIN';

const judgeWith = (
  facts: VCenterFacts,
  judge: (privileges: PrivilegeFacts) => readonly Verdict[],
): readonly Verdict[] => {
  const object = vcenterObject(facts);
  if (!facts.privileges) return [unknown(object, 'the privileges of the account were not read', notRead)];
  if ('error' in facts.privileges) {
    const { code: reason, message, remedy } = facts.privileges.error;
    return [{ result: 'Unknown', reason, message, remedy, object }];
  }
  return judge(facts.privileges.value);
};

const grantOf = (facts: VCenterFacts, { role }: RoleFacts, paths: readonly string[], cluster: ClusterFacts) => ({
  remedy: `Give the account the role ${role.name} (${role.privileges.join(', ')}) on ${few(paths)}${role.propagate ? ', with propagation' : ''}. To give it all privileges that the drivers need, as an administrator of vCenter:`,
  commands: applyUser(facts, cluster, userOf(facts)),
});

/** Permissions are given on the folders of the VMs, not on each VM. */
const pathsToGrant = (scope: PrivilegeScope, paths: readonly string[]): readonly string[] =>
  scope === 'node-vms' ? [...new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/')) || '/'))] : paths;

/** One datastore per group of nodes is enough: the administrator decides which ones hold volumes. */
const lackingIn = (facts: VCenterFacts, { role, objects, missing }: RoleFacts, cluster: ClusterFacts) => {
  const lacking = objects.filter(({ ref }) => missing.has(morefKey(ref)));
  if (role.scope !== 'datastores') return lacking;
  const shut = (placesOf(facts, cluster) ?? []).filter(({ shared }) =>
    shared.every(({ ref }) => missing.has(morefKey(ref))),
  );
  const keys = new Set(shut.flatMap(({ shared }) => shared.map(({ ref }) => morefKey(ref))));
  return lacking.filter(({ ref }) => keys.has(morefKey(ref)));
};

const judgeRole = (facts: VCenterFacts, found: RoleFacts, cluster: ClusterFacts): Verdict => {
  const object = vcenterObject(facts);
  const { role, objects, missing } = found;
  if (objects.length === 0) return skipped(object, `there are no objects to check: ${role.on}`);
  const lacking = lackingIn(facts, found, cluster);
  if (lacking.length === 0) return pass(object, `the account has ${role.privileges.join(' and ')} on ${role.on}`);
  const privileges = [...new Set(lacking.flatMap(({ ref }) => missing.get(morefKey(ref)) ?? []))];
  const paths = lacking.map(({ path }) => path);
  return fail(object, {
    reason: 'PrivilegeMissing',
    message: `${userOf(facts)} lacks ${privileges.join(' and ')} on ${few(paths)}; expected on ${role.on}`,
    ...grantOf(facts, found, pathsToGrant(role.scope, paths), cluster),
  });
};

const roleCheck = (
  id: Check['id'],
  scope: PrivilegeScope,
  check: Pick<Check, 'title' | 'meaning' | 'remedy' | 'action'>,
): Check => ({
  id,
  ...check,
  judge: (cluster) =>
    everyAccount(cluster).flatMap((facts) => {
      const { spec } = cluster;
      if (!spec.csi) return [skipped(vcenterObject(facts), 'spec.csi is not set')];
      if (scope === 'file-service-clusters' && !spec.csi.fileVolumes)
        return [skipped(vcenterObject(facts), 'spec.csi.fileVolumes is not set')];
      return judgeWith(facts, ({ roles }) =>
        roles.filter(({ role }) => role.scope === scope).map((found) => judgeRole(facts, found, cluster)),
      );
    }),
});

const judgeAncestors = (facts: VCenterFacts, { dead }: PrivilegeFacts, cluster: ClusterFacts): readonly Verdict[] => {
  if (dead.length === 0) return [pass(vcenterObject(facts), 'the account can read everything above the node VMs')];
  return dead.map(({ ref, name, vms }) => {
    if (ref.type === 'VirtualMachine') {
      return fail(vcenterObject(facts), {
        reason: 'AncestorHidden',
        message: `${userOf(facts)} cannot read the host, the resource pool or the folder of ${few(vms)}; expected read access to all objects up to the root`,
        remedy: 'Give the account read access to them:',
        commands: applyUser(facts, cluster, userOf(facts)),
      });
    }
    return fail(vcenterObject(facts), {
      reason: 'AncestorHidden',
      message: `${userOf(facts)} cannot read the parent of ${ref.type} ${name}, above ${few(vms)}; expected read access to all objects up to the root`,
      remedy: `Give the account the role ReadOnly, without propagation, on the root and on each folder and datacenter between it and ${name}. To do this, as an administrator of vCenter:`,
      commands: applyUser(facts, cluster, userOf(facts)),
    });
  });
};

const judgeExcess = (facts: VCenterFacts, { excess }: PrivilegeFacts): readonly Verdict[] => {
  const object = vcenterObject(facts);
  if (excess.length === 0) return [pass(object, 'the account has no privileges that the drivers do not need')];
  return [
    warn(object, {
      reason: 'ExcessPrivilege',
      message: `${userOf(facts)} has privileges at the root that the drivers do not need: ${few(excess)}`,
      remedy:
        'Run vdoctl vsphere user create to create an account with only the needed roles (vdoctl vsphere privileges lists them), and write it into the Secret.',
    }),
  ];
};

const perVCenter =
  (
    judge: (facts: VCenterFacts, privileges: PrivilegeFacts, cluster: ClusterFacts) => readonly Verdict[],
  ): Check['judge'] =>
  (cluster: ClusterFacts) =>
    everyAccount(cluster).flatMap((facts) => judgeWith(facts, (privileges) => judge(facts, privileges, cluster)));

/** One check per kind of object, from the table of required privileges. */
export const privilegeChecks: readonly Check[] = [
  roleCheck('privileges/root', 'root', {
    title: 'The account can search volumes and read storage policies.',
    meaning:
      'Without `Cns.Searchable` vCenter shows no volumes, not even new ones; without `StorageProfile.View` it shows no policies.',
    remedy:
      '`vdoctl vsphere user apply ACCOUNT` creates and assigns all roles. For this one: `govc permissions.set -principal USER -role CNS-SEARCH-AND-SPBM -propagate=false /`.',
    action: 'BlockUpgradeOrDegrade',
  }),
  roleCheck('privileges/node-vms', 'node-vms', {
    title: 'The account can attach disks to every node VM.',
    meaning: 'Pods on a node whose VM the account cannot change never get their volumes.',
    remedy:
      '`vdoctl vsphere user apply ACCOUNT` creates and assigns all roles. This one is CNS-VM on the folder of the node VMs, with propagation.',
    action: 'BlockUpgradeOrDegrade',
  }),
  roleCheck('privileges/datastores', 'datastores', {
    title: 'The account can store files on the datastores that the nodes share.',
    meaning: 'vCenter refuses to create volumes there; a datastore without the privilege is not used for volumes.',
    remedy:
      '`vdoctl vsphere user apply ACCOUNT` creates and assigns all roles. This one is CNS-DATASTORE on each datastore for volumes.',
    action: 'BlockUpgradeOrDegrade',
  }),
  roleCheck('privileges/file-services', 'file-service-clusters', {
    title: 'The account can create file shares on the vSAN clusters.',
    meaning: 'ReadWriteMany volumes cannot be created.',
    remedy:
      '`vdoctl vsphere user apply ACCOUNT` creates and assigns all roles. This one is CNS-HOST-CONFIG-STORAGE on the clusters with vSAN file services, with propagation.',
    action: 'BlockUpgrade',
  }),
  {
    id: 'privileges/ancestors-readable',
    title: 'The account can read every folder, cluster and datacenter above the node VMs.',
    meaning:
      'Zones are read from tags on these objects, and without read access to the folder of a VM it is not certain that a missing VM was deleted.',
    remedy:
      '`govc permissions.set -principal USER -role ReadOnly -propagate=false PATH` for each of them, the root included.',
    action: 'BlockUpgrade',
    judge: perVCenter(judgeAncestors),
  },
  {
    id: 'privileges/excess-privilege',
    title: 'The account has no privileges that the drivers do not need.',
    meaning: 'Anyone who can read the Secret can use all privileges of the account in vCenter.',
    remedy: '`vdoctl vsphere user create` creates an account with only the needed roles.',
    action: 'None',
    judge: perVCenter(judgeExcess),
  },
];
