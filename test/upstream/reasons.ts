import type { Reason } from './compare.ts';

/** Every way in which our manifests of the Go drivers differ from those of their releases, and why. Begins with `-` for what is theirs alone. */
export const reasons: readonly Reason[] = [
  {
    line: /^- DaemonSet \S+\/vsphere-csi-node-windows( |$)/,
    because: 'Windows nodes are not served: VDO renders the Linux DaemonSet alone, and docs/guides/csi.md says so.',
  },
  {
    line: /^[-+] \S+ \S+ toleration /,
    because:
      'Taints are tolerated whatever their effect, so that the drivers run on nodes that are new, unreachable or without a network.',
  },
  {
    line: /^\+ \S+ \S+ nodeSelector kubernetes\.io\/os=linux$/,
    because: 'The images are for Linux; in a cluster with Windows nodes the scheduler must know.',
  },
  {
    line: /^[-+] Deployment \S+\/vsphere-csi-controller replicas /,
    because: 'The number of controllers follows the nodes that can take them; spec.csi.replicas sets it.',
  },
  {
    line: /^- \S+ \S+ container \S+ env (ADDRESS|DRIVER_REG_SOCK_PATH)=/,
    because: 'The value stands in the argument itself, which both spellings come to.',
  },
  {
    line: /^[-+] \S+ \S+ container \S+ arg --v=/,
    because: 'How much is logged follows spec.advanced.logLevel.',
  },
  {
    line: /^\+ \S+ \S+ container liveness-probe arg --health-port=9808$/,
    because: 'The default of the program, written out.',
  },
  {
    line: /^\+ Deployment \S+ container csi-\S+ (arg --http-endpoint=|port \S+ 808\d)/,
    because: 'The sidecars serve their metrics, which upstream leaves off.',
  },
  {
    line: /^[-+] Deployment \S+ container vsphere-syncer port prometheus(-sync)? 2113$/,
    because: 'Two ports of one pod may not have the same name; only the name differs.',
  },
  {
    line: /^\+ Deployment \S+ container csi-provisioner arg --feature-gates=Topology=false$/,
    because: 'From provisioner 5 on topology is on by default and fails every claim of a cluster without topology.',
  },
  {
    line: /^\+ CSIDriver csi\.vsphere\.vmware\.com fsGroupPolicy=ReadWriteOnceWithFSType$/,
    because: 'The default of Kubernetes, written out: the field cannot be changed later.',
  },
  {
    line: /^\+ ClusterRole vsphere-csi-controller-role may (patch persistentvolumeclaims|update persistentvolumeclaims\/status)$/,
    because: 'The resizer of these releases asks for it when a claim grows, and is refused under the upstream role.',
  },
  {
    line: /^- ClusterRole vsphere-csi-controller-role may \S+ (leases\.coordination\.k8s\.io|configmaps)$/,
    because: 'Allowed in the namespace of the driver alone, by a role that is bound there.',
  },
  {
    line: /^\+ Role(Binding)? \S+\/(vsphere-csi-controller|cloud-controller-manager):local( |$)/,
    because: 'What is needed in one namespace is allowed in one namespace.',
  },
  {
    line: /^[-+] DaemonSet \S+\/vsphere-csi-node volume device-dir /,
    because: 'Only the check that /dev is a folder differs.',
  },
  {
    line: /^[-+] \S+ \S+ container \S+ image (gcr\.io\/cloud-provider-vsphere\/|k8s\.gcr\.io\/|registry\.k8s\.io\/(cloud-pv-vsphere|csi-vsphere|sig-storage)\/)/,
    because:
      'Those registries were closed: the same releases are pulled from registry.k8s.io. The manifests of CPI 1.30.1 name the image of 1.30.0 by mistake.',
  },
  {
    line: /^\+ Deployment \S+ container vsphere-csi-controller env GODEBUG=x509sha1=1$/,
    because: 'The controller talks to vCenter as the syncer does, which has it in the manifests of 3.0 and 3.1.',
  },
  {
    line: /^- Deployment \S+\/vsphere-csi-controller nodeSelector node-role\.kubernetes\.io\/control-plane=$/,
    because:
      'The control plane is preferred, not required: there are clusters that do not show theirs. Later releases upstream do not require it either.',
  },
  { line: /^\+ Namespace /, because: 'Upstream has the namespace in a file of its own.' },
  {
    line: /^\+ NetworkPolicy \S+\/vsphere-csi-controller$/,
    because: 'Nobody but who scrapes metrics needs to reach the controller.',
  },
  {
    line: /^\+ Secret \S+\/(vsphere-config-secret|vsphere-cloud-secret)$/,
    because: 'Upstream leaves the configuration with the account to who installs.',
  },
  {
    line: /^[-+] ConfigMap kube-system\/vsphere-cloud-config data vsphere\.conf=/,
    because: 'Upstream shows an example there, with a placeholder for every value.',
  },
  {
    line: /^[-+] ClusterRole system:cloud-controller-manager may /,
    because:
      'The upstream role allows more than the program asks for (service accounts, endpoints, volumes, secrets of all namespaces); before 1.32 secrets stay, without which it does not start.',
  },
  {
    line: /^- (ClusterRoleBinding|RoleBinding) \S+ gives \S+ \S+ to User cloud-controller-manager$/,
    because: 'Nobody logs in under that name: the program has a service account.',
  },
  {
    line: /^\+ DaemonSet kube-system\/vsphere-cloud-controller-manager container \S+ port https 10258$/,
    because: 'The port that the program serves, so that it shows and the scheduler keeps it free.',
  },
];
