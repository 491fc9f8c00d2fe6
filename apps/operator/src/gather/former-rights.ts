import { names } from '@vdo/config/names';
import { type ObjectRef, refOf } from '@vdo/kube/apply/object-ref';
import type { KubeClient } from '@vdo/kube/client';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { apiVersionOf, type Resource } from '@vdo/kube/types/resource';
import { upstreamObjects } from '@vdo/releases/render/upstream/objects';
import type { Component } from '../observation.ts';

type Place = readonly [Resource<KubeObject>, { readonly name: string; readonly namespace?: string }];

const { cpiRole, csiControllerRole, csiControllerBinding, csiNodeRole, csiNodeBinding } = upstreamObjects;
const { csiNodeLocalRole, csiNodeLocalBinding } = upstreamObjects;
const namespace = names.upstreamCsiNamespace;

/** The RBAC objects of each component in the upstream manifests. Bindings first: they are removed before their role. */
const places: Readonly<Record<Component, readonly Place[]>> = {
  cpi: [
    [clusterRoleBindings, { name: cpiRole }],
    [clusterRoles, { name: cpiRole }],
  ],
  'csi-controller': [
    [clusterRoleBindings, { name: csiControllerBinding }],
    [clusterRoles, { name: csiControllerRole }],
  ],
  'csi-node': [
    [clusterRoleBindings, { name: csiNodeBinding }],
    [clusterRoles, { name: csiNodeRole }],
    [roleBindings, { name: csiNodeLocalBinding, namespace }],
    [roles, { name: csiNodeLocalRole, namespace }],
  ],
};

/** RBAC objects of adopted drivers: they grant more than our drivers need, and would otherwise be left behind. */
export const findFormerRights = async (
  kube: KubeClient,
  components: Iterable<Component>,
  call: { readonly signal: AbortSignal },
): Promise<readonly ObjectRef[]> => {
  const refs: ObjectRef[] = [];
  for (const component of new Set(components))
    for (const [resource, key] of places[component]) {
      const found = await kube.find(resource, key, call);
      if (found) refs.push(refOf({ ...found, apiVersion: apiVersionOf(resource), kind: resource.kind }));
    }
  return refs;
};
