import { names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import { bindDriverRole } from '../roles/driver-role.ts';
import { upstreamCsiRoles } from '../roles/upstream-roles.ts';
import { driverLabels } from '../shared/labels.ts';
import { useScc } from '../shared/protection.ts';
import { serviceAccount } from '../shared/rbac.ts';
import type { RenderContext } from '../shared/render-context.ts';

/** Accounts and permissions of the upstream storage driver. */
export const upstreamCsiAccess = (context: RenderContext): readonly KubeObject[] => {
  const { namespace, openShift } = context;
  const labels = driverLabels(context.release);
  const controller = { namespace, serviceAccount: names.csiController, labels };
  const node = { namespace, serviceAccount: names.csiNode, labels };
  const roles = upstreamCsiRoles;
  return [
    serviceAccount(controller),
    bindDriverRole(roles.controller, controller),
    bindDriverRole(roles.local, controller, { namespace }),
    serviceAccount(node),
    bindDriverRole(roles.node, node),
    bindDriverRole(roles.nodeLocal, node, { namespace }),
    ...useScc(node, 'privileged', openShift),
  ];
};
