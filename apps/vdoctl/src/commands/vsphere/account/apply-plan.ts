import { VdoError } from '@vdo/base/vdo-error';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { AccountPlan, Step } from './account-plan.ts';

type Admin = Pick<FullVCenter, 'authorization' | 'sso' | 'server'>;

export interface ApplyOptions {
  readonly signal: AbortSignal;
  /** Creates the account and stores its password, before any other change. */
  readonly createUser?: (name: string) => Promise<void>;
  readonly onStep?: (step: Step) => void;
}

/** Applies a plan step by step. If a step fails, the changes before it are kept; the next run does the rest. */
export const applyPlan = async (
  admin: Admin,
  { account, steps }: AccountPlan,
  options: ApplyOptions,
): Promise<void> => {
  const { authorization, sso, server } = admin;
  const { signal } = options;
  const roleId = async (name: string): Promise<number> => {
    const found = (await authorization.roles({ signal })).find((role) => role.name === name);
    if (found) return found.id;
    throw new VdoError({
      code: 'VCenterObjectNotFound',
      message: `role ${name} was deleted from vCenter ${server} a moment ago`,
      remedy: 'Somebody else is changing roles at the same time. Run the command again.',
    });
  };
  const ids = new Map<string, number>();
  const idOf = async (name: string): Promise<number> => {
    const id = ids.get(name) ?? (await roleId(name));
    ids.set(name, id);
    return id;
  };
  const carryOut = async (step: Step): Promise<unknown> => {
    switch (step.action) {
      case 'create-user':
        return options.createUser?.(step.user);
      case 'create-role':
        return authorization.createRole(step.role, step.privileges, { signal });
      case 'update-role':
        return authorization.updateRole(
          { id: await idOf(step.role), name: step.role, privileges: step.privileges },
          { signal },
        );
      case 'set-permission': {
        const { ref: entity, propagate } = step;
        const permission = { entity, principal: account, group: false, roleId: await idOf(step.role), propagate };
        return authorization.setPermission(permission, { signal });
      }
      case 'remove-permission':
        return authorization.removePermission({ entity: step.ref, principal: account, group: false }, { signal });
      case 'remove-role':
        return authorization.removeRole(await idOf(step.role), { signal });
      case 'delete-user':
        return (await sso.deleteUser(step.user, { signal })) || sso.deleteSolutionUser(step.user, { signal });
    }
  };
  for (const step of steps) {
    options.onStep?.(step);
    await carryOut(step);
  }
};
