import { VdoError } from '@vdo/base/vdo-error';
import { createPermissions } from './access/permissions.ts';
import { adminRoleId, createRoles } from './access/roles.ts';
import { createAccounts } from './accounts.ts';
import type { SimControl } from './control.ts';
import type { Core } from './core.ts';
import { createFaultRules } from './fault-rules.ts';
import { buildInventory } from './inventory/build-inventory.ts';
import { completeTree } from './inventory/complete-tree.ts';
import { createContainers } from './inventory/containers.ts';
import { createObjectIds } from './inventory/object-ids.ts';
import { createSearch } from './inventory/search.ts';
import type { UserModel } from './model.ts';
import { createPolicies } from './pbm/policies.ts';
import { createRecorder } from './recorder.ts';
import { createSessions, principalName } from './sessions.ts';
import type { VSphereSimOptions } from './sim-options.ts';
import { putManagers } from './soap/put-managers.ts';
import { aboutInfo, managers } from './soap/service-content.ts';
import { createObjectStore } from './state/object-store.ts';
import { attachModelTags, createTagStore, ensureCategory, type TagStore } from './tagging/tag-store.ts';
import { createTasks } from './tasks/tasks.ts';
import { profileOf } from './version/profile.ts';

export interface BuiltCore {
  readonly core: Core;
  readonly tags: TagStore;
  readonly grant: SimControl['grant'];
  readonly revoke: SimControl['revoke'];
  readonly tag: SimControl['tag'];
  readonly untag: SimControl['untag'];
}

const defaultAdministrator: UserModel = {
  username: 'administrator@vsphere.local',
  password: 'obviously-fake',
};

/** Assembles the parts of a vCenter and fills them from the model. */
export const createCore = (options: VSphereSimOptions): BuiltCore => {
  const { model, clock, random } = options;
  const { administrator = defaultAdministrator } = model;
  const store = createObjectStore({ complete: completeTree });
  const ids = createObjectIds();
  const { version = '8.0.3' } = model;
  const profile = profileOf(version);
  const about = aboutInfo({
    version,
    apiVersion: profile.apiVersion,
    build: model.build ?? '24022515',
    instanceUuid: random.uuid(),
  });
  const {
    rootFolder,
    guests,
    tags: modelTags,
  } = buildInventory(model, { store, ids, random, about, now: new Date(clock.now()) });
  const roles = createRoles(model.roles ?? []);
  const permissions = createPermissions(store, roles);
  const groups = [...(administrator.groups ?? []), 'administrators@vsphere.local'];
  const accounts = createAccounts([{ ...administrator, groups }, ...(model.users ?? [])]);
  const sessions = createSessions({
    accounts: accounts.users,
    clock,
    random,
    ...(options.sessionIdleMs === undefined ? {} : { idleMs: options.sessionIdleMs }),
  });
  const tasks = createTasks({
    store,
    clock,
    taskManager: managers.taskManager,
    latencyMs: () => options.taskLatencyMs ?? 10,
  });
  const core: Core = {
    clock,
    time: { skewMs: 0 },
    random,
    ids,
    store,
    containers: createContainers(store),
    search: createSearch(store, rootFolder),
    accounts,
    sessions,
    roles,
    permissions,
    policies: createPolicies(model.policies ?? [], { store, random }),
    tasks,
    faults: createFaultRules(random),
    recorder: createRecorder(),
    rootFolder,
    about,
    profile,
    guests,
    limits: {
      retrieveObjects: options.maxRetrieveObjects ?? 1000,
      updateObjects: options.maxUpdateObjects ?? 100,
    },
  };
  putManagers(core);

  const entityAt = (path: string) => {
    const found = core.search.byPath(path);
    if (found) return found;
    throw invalid(`no object at ${path}`, 'Use an inventory path of the model, such as /datacenter/vm/folder.');
  };
  const grant: SimControl['grant'] = (principal, role, path, { propagate = true, group = false } = {}) => {
    const roleId = roles.byName(role)?.id;
    if (roleId === undefined) throw invalid(`no role ${role}`, 'Define the role in the model.');
    permissions.set({ entity: entityAt(path), principal: principalName(principal), group, roleId, propagate });
  };
  const revoke: SimControl['revoke'] = (principal, path) => {
    for (const group of [false, true]) permissions.remove(entityAt(path), principalName(principal), group);
  };
  permissions.set({
    entity: rootFolder,
    principal: principalName(administrator.username),
    group: false,
    roleId: adminRoleId,
    propagate: true,
  });
  for (const { principal, role, path, ...more } of model.permissions ?? []) grant(principal, role, path, more);

  const tags = createTagStore(random);
  for (const name of model.tagCategories ?? []) ensureCategory(tags, name);
  attachModelTags(tags, modelTags);
  const tag: SimControl['tag'] = (path, category, name) =>
    attachModelTags(tags, [{ object: entityAt(path), category, tag: name }]);
  const untag: SimControl['untag'] = (path, category, name) => {
    const id = ensureCategory(tags, category);
    const found = tags.tags().find((one) => one.categoryId === id && one.name === name);
    if (found) tags.detach(found.id, entityAt(path));
  };
  return { core, tags, grant, revoke, tag, untag };
};

const invalid = (what: string, remedy: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message: `the simulated vCenter has ${what}`, remedy });
