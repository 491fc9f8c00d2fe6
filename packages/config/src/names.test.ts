import { describe, expect, it } from 'vitest';
import {
  annotationKeys,
  apiGroups,
  apiServerService,
  cniDaemonSets,
  dnsServiceNames,
  eventComponents,
  labelKeys,
  leaseNames,
  names,
  parameterKeys,
  taintKeys,
  topologyLabelPrefix,
  upstreamNames,
  vdoApiVersion,
} from './names.ts';

// Clusters hold these names: a change here needs a migration, and a release before and after that reads both.
describe('names that are persisted', () => {
  it('stay as they are', () => {
    expect({ names, upstreamNames, apiGroups, vdoApiVersion }).toEqual({
      names: {
        namespace: 'vmware-system-vdo',
        upstreamCsiNamespace: 'vmware-system-csi',
        systemNamespace: 'kube-system',
        image: 'vdo/vdo',
        operator: 'vdo-operator',
        metricsReader: 'vdo-metrics-reader',
        inventoryReader: 'vdo-inventory-reader',
        metricsTlsSecret: 'vdo-metrics-tls',
        cpi: 'vsphere-cloud-controller-manager',
        csiController: 'vsphere-csi-controller',
        csiNode: 'vsphere-csi-node',
        snapshotController: 'snapshot-controller',
        imageProbe: 'vdo-image-probe',
        upstreamOperator: 'vdo-controller-manager',
        cloudControllerManager: 'cloud-controller-manager',
        configMap: 'vsphere-config',
        configKey: 'vsphere.conf',
        configFolder: '/etc/cloud',
        credentialsSecret: 'vsphere-credentials',
        cpiConfigMap: 'vsphere-config-cpi',
        cpiCredentials: 'vsphere-credentials-cpi',
        csiConfigMap: 'vsphere-config-csi',
        csiCredentials: 'vsphere-credentials-csi',
        loginGuard: 'vsphere-login-guard',
        csiClusterId: 'vsphere-csi-cluster-id',
        csiClusterIdKey: 'clusterID',
        csiSyncReport: 'vsphere-csi-sync',
        csiHeartbeatKey: 'clusterHeartbeat',
        releaseHistory: 'vdo-releases',
        cniInventory: 'vdo-cni-inventory',
        keptMatrix: 'vdo-matrix',
        keptSpec: 'vdo-spec',
        csiDriver: 'csi.vsphere.vmware.com',
        inTreeProvisioner: 'kubernetes.io/vsphere-volume',
        inventory: 'vdo-inventory',
        providerIdPrefix: 'vsphere://',
      },
      upstreamNames: {
        cpiSecret: 'vsphere-cloud-secret',
        csiConfigSecret: 'vsphere-config-secret',
        csiConfigKey: 'csi-vsphere.conf',
      },
      apiGroups: { vdo: 'vdo.vmware.com', cns: 'cns.vmware.com' },
      vdoApiVersion: 'vdo.vmware.com/v1beta1',
    });
  });

  it('of Leases are those that upstream holds', () => {
    expect(leaseNames).toEqual({
      cpi: 'cloud-controller-manager',
      provisioner: 'csi-vsphere-vmware-com',
      attacher: 'external-attacher-leader-csi-vsphere-vmware-com',
      resizer: 'external-resizer-csi-vsphere-vmware-com',
      snapshotter: 'external-snapshotter-leader-csi-vsphere-vmware-com',
      syncer: 'vsphere-syncer',
      snapshotController: 'snapshot-controller-leader',
    });
  });

  it('of labels, taints, annotations and parameters stay as they are', () => {
    expect({ labelKeys, topologyLabelPrefix, taintKeys, annotationKeys, parameterKeys }).toEqual({
      labelKeys: {
        partOf: 'app.kubernetes.io/part-of',
        version: 'app.kubernetes.io/version',
        driver: 'vdo.vmware.com/driver',
        distribution: 'vdo.vmware.com/distribution',
        zone: 'topology.kubernetes.io/zone',
        region: 'topology.kubernetes.io/region',
        controlPlane: 'node-role.kubernetes.io/control-plane',
      },
      topologyLabelPrefix: 'topology.csi.vmware.com/',
      taintKeys: {
        uninitialized: 'node.cloudprovider.kubernetes.io/uninitialized',
        notReady: 'node.kubernetes.io/not-ready',
      },
      annotationKeys: {
        definition: 'vdo.vmware.com/definition',
        runChecks: 'vdo.vmware.com/run-checks',
        allowRemoval: 'vdo.vmware.com/allow-removal',
        selectedNode: 'volume.kubernetes.io/selected-node',
        migratedTo: 'pv.kubernetes.io/migrated-to',
        deletionAttempt: 'vdo.vmware.com/deletion-attempt',
        detachAttempt: 'vdo.vmware.com/detach-attempt',
        vcenterInstance: 'vdo.vmware.com/vcenter-instance',
        volumeHandle: 'vdo.vmware.com/volume-handle',
        firstAttachment: 'vdo.vmware.com/first-attachment',
        settledTerm: 'vdo.vmware.com/settled-term',
        adopt: 'vdo.vmware.com/adopt',
        shareAddresses: 'vdo.vmware.com/share-addresses',
        shareAddressesOf: 'vdo.vmware.com/share-addresses-of',
        attachTask: 'vdo.vmware.com/attach-task',
        defaultStorageClass: 'storageclass.kubernetes.io/is-default-class',
      },
      parameterKeys: { prefix: 'csi.storage.k8s.io/', fileSystem: 'csi.storage.k8s.io/fstype' },
    });
  });

  it('of event components and of the agents of others stay as they are', () => {
    expect({ eventComponents, cniDaemonSets, dnsServiceNames, apiServerService }).toEqual({
      eventComponents: {
        operator: 'vdo-operator',
        cpi: 'cloud-node-controller',
        csi: 'csi.vsphere.vmware.com',
        snapshotController: 'snapshot-controller',
      },
      cniDaemonSets: {
        antrea: 'antrea-agent',
        calico: 'calico-node',
        cilium: 'cilium',
        flannel: 'kube-flannel-ds',
        ovnKubernetes: 'ovnkube-node',
        ncp: 'nsx-node-agent',
      },
      dnsServiceNames: { kubernetes: 'kube-dns', openShift: 'dns-default' },
      apiServerService: { namespace: 'default', name: 'kubernetes' },
    });
  });
});
