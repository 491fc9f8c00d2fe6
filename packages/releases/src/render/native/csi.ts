import type { CsiSpec } from '@vdo/config/api/csi-spec';
import { names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import type { CsiDriver } from '@vdo/kube/types/storage';
import { bindMetricsReviews } from '../roles/bind-metrics-reviews.ts';
import { bindDriverRole } from '../roles/driver-role.ts';
import { nativeCsiRoles } from '../roles/native-roles.ts';
import { egressRules } from '../shared/egress.ts';
import { driverLabels } from '../shared/labels.ts';
import { privilegedNamespace } from '../shared/namespaces.ts';
import { disruptionBudget, networkPolicy, useScc } from '../shared/protection.ts';
import { serviceAccount } from '../shared/rbac.ts';
import type { RenderContext } from '../shared/render-context.ts';
import { csiControllerDeployment, csiControllerPorts } from './csi-controller.ts';
import { csiNodeDaemonSet } from './csi-node.ts';

const driver = (context: RenderContext): CsiDriver => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: names.csiDriver, labels: driverLabels(context.release) },
  spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: 'ReadWriteOnceWithFSType' },
});

const controllerAccess = (spec: CsiSpec, context: RenderContext): readonly KubeObject[] => {
  const { namespace, release, reads, topologyLabels } = context;
  const subject = { namespace, serviceAccount: names.csiController, labels: driverLabels(release) };
  const { controller, topology, inTreeMigration, sidecars, leases, credentials, ownCredentials, state } =
    nativeCsiRoles;
  return [
    serviceAccount(subject),
    bindDriverRole(controller, subject),
    ...(topologyLabels.length > 0 ? [bindDriverRole(topology, subject)] : []),
    ...(spec.inTreeMigration ? [bindDriverRole(inTreeMigration, subject)] : []),
    ...(spec.sidecars === 'Upstream' ? [bindDriverRole(sidecars, subject)] : []),
    ...bindMetricsReviews(release, subject),
    bindDriverRole(leases, subject, { namespace: names.upstreamCsiNamespace }),
    bindDriverRole(reads.own ? ownCredentials : credentials, subject, { namespace }),
    bindDriverRole(state, subject, { namespace }),
  ];
};

const nodeAccess = (context: RenderContext): readonly KubeObject[] => {
  const labels = driverLabels(context.release);
  const subject = { namespace: context.namespace, serviceAccount: names.csiNode, labels };
  return [
    serviceAccount(subject),
    bindDriverRole(nativeCsiRoles.node, subject),
    ...useScc(subject, 'privileged', context.openShift),
  ];
};

/** Everything of the native storage driver, in the order in which it is applied: controller before nodes. */
export const renderNativeCsi = (spec: CsiSpec, context: RenderContext): readonly KubeObject[] => {
  const { namespace, release } = context;
  const selector = { app: names.csiController };
  const pods = { name: names.csiController, namespace, labels: driverLabels(release), selector };
  return [
    // The Leases of the upstream sidecars are there and, during a switch of the distribution, pods of the upstream driver.
    privilegedNamespace(names.upstreamCsiNamespace),
    ...controllerAccess(spec, context),
    ...nodeAccess(context),
    driver(context),
    networkPolicy(pods, { ports: csiControllerPorts(spec), egress: egressRules(context, { vcenters: true }) }),
    ...disruptionBudget(pods, context.replicas),
    csiControllerDeployment(spec, context),
    csiNodeDaemonSet(spec, context),
  ];
};
