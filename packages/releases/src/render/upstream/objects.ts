import { names } from '@vdo/config/names';

/** Names of the upstream manifests that are used nowhere else here. */
export const upstreamObjects = {
  cpiAccount: names.cloudControllerManager,
  cpiRole: 'system:cloud-controller-manager',
  cpiReaderBinding: 'servicecatalog.k8s.io:apiserver-authentication-reader',
  cpiConfig: 'vsphere-cloud-config',
  csiFeatures: 'internal-feature-states.csi.vsphere.vmware.com',
  csiControllerRole: 'vsphere-csi-controller-role',
  csiControllerBinding: 'vsphere-csi-controller-binding',
  csiNodeRole: 'vsphere-csi-node-cluster-role',
  csiNodeBinding: 'vsphere-csi-node-cluster-role-binding',
  csiNodeLocalRole: 'vsphere-csi-node-role',
  csiNodeLocalBinding: 'vsphere-csi-node-binding',
} as const;
