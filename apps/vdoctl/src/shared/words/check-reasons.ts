import type { CheckReason } from './check-reason.ts';
import { nodeReasons } from './node-reasons.ts';
import { storageReasons } from './storage-reasons.ts';

const imagePull = {
  checks: ['versions/image-pull'],
  remedy:
    'Set spec.images.registry to a registry that the nodes can reach, and spec.images.pullSecrets if it requires a login.',
} as const;

const newerMatrix =
  'Set spec.updates.matrix to a newer compatibility matrix, or upgrade the operator, whose image contains one.';

/** Reasons of the checks about vCenter, credentials, privileges, versions and the drivers themselves. */
const otherReasons: Readonly<Record<string, CheckReason>> = {
  ClusterDnsFails: {
    checks: ['cluster/dns-resolves-vcenter'],
    meaning: 'The cluster DNS does not resolve the name of a vCenter. Pods that use it do not find the vCenter.',
    remedy: 'Configure CoreDNS to forward the domain of the vCenter to a DNS server that resolves it.',
  },
  PodSecurityForbids: {
    checks: ['cluster/admission-allows'],
    meaning: 'Pod Security rejects the pods of the drivers, which mount disks and therefore need privileged pods.',
    remedy: 'Allow privileged pods in the namespace of the drivers.',
    commands: [
      'kubectl label namespace vmware-system-vdo --overwrite pod-security.kubernetes.io/enforce=privileged',
      'vdoctl doctor --only cluster/admission-allows',
    ],
  },
  AdmissionForbids: {
    checks: ['cluster/admission-allows'],
    meaning: 'A policy or webhook of the cluster rejects the pods of the drivers.',
    remedy: 'Exempt the namespace of the drivers from the policy or webhook that the message names.',
  },
  AccountLockoutNear: {
    checks: ['credentials/lockout-risk'],
    meaning:
      'Several logins were rejected within three minutes. After five, vCenter locks the account, and even the right password is rejected.',
    remedy: 'Correct the account in the Secret, and check for other programs that use an old password of this account.',
  },
  RotationPending: {
    checks: ['credentials/rotation-pending'],
    meaning: 'The Secret was changed, but the drivers still use the old account.',
    remedy:
      'The operator gives them the new account within a minute after vCenter has accepted it. Keep the old account in vCenter until then. If this does not change, the log of the operator shows why.',
    commands: ['vdoctl logs operator --since 10m'],
  },
  TrailingLineBreak: {
    checks: ['credentials/secret-keys'],
    meaning:
      'The user name or the password in the Secret ends in a line break, usually because it was written with echo. VDO removes it, but other programs may not.',
    remedy: 'Remove the line break. Write values with printf or echo -n.',
    commands: ['vdoctl doctor --only credentials/secret-keys --fix'],
  },
  UserNameWithoutDomain: {
    checks: ['credentials/username-domain'],
    meaning: 'The user name has no domain. vCenter cannot determine the privileges of the user.',
    remedy: 'Write the user name in the Secret as user@domain or DOMAIN\\user.',
  },
  ForeignManager: {
    checks: ['csi/foreign-manager'],
    meaning: 'Another tool manages a vSphere driver in this cluster. Two drivers would act on the same objects.',
    remedy: 'Remove the other driver (Helm chart, manifests); volumes and nodes stay unchanged.',
  },
  NodeNotReady: {
    checks: ['csi/workloads-ready'],
    meaning: 'A pod of a driver is not ready because its node is not Ready.',
    remedy: 'Check that the VM of the node runs, and that its kubelet runs and reaches the API server.',
    commands: ['kubectl describe node NODE', 'vdoctl doctor --only csi/workloads-ready,node'],
  },
  Starting: {
    checks: ['csi/workloads-ready'],
    meaning: 'Pods of a driver are new and not ready yet.',
    remedy: 'Wait up to five minutes. If they are not ready then, the check fails and shows why.',
  },
  AncestorHidden: {
    checks: ['privileges/ancestors-readable'],
    meaning: 'The account cannot read a folder, cluster or datacenter above the node VMs.',
    remedy: 'Give the account the role ReadOnly, without propagation, on each of them, the root included.',
    commands: ['vdoctl vsphere user apply ACCOUNT', 'vdoctl doctor --only privileges/ancestors-readable'],
  },
  ExcessPrivilege: {
    checks: ['privileges/excess-privilege'],
    meaning: 'The account has dangerous privileges at the root of the inventory that the drivers never use.',
    remedy: 'Create an account with only the needed roles, and write it into the Secret.',
    commands: ['vdoctl vsphere user create ACCOUNT'],
  },
  PrivilegeMissing: {
    checks: ['privileges/root', 'privileges/node-vms', 'privileges/datastores', 'privileges/file-services'],
    meaning: 'The account lacks a privilege that the drivers need. The message names the privilege and the objects.',
    remedy: 'As an administrator of vCenter, give the account all roles that the drivers need.',
    commands: ['vdoctl vsphere user apply ACCOUNT', 'vdoctl doctor --only privileges'],
  },
  CertificateExpired: {
    checks: ['vcenter/cert-expiry'],
    meaning: 'The certificate of the vCenter has expired. Programs that verify certificates can no longer connect.',
    remedy:
      'Renew the machine certificate in the vSphere Client (Administration, Certificates, Certificate Management). With tls.thumbprints, first add the thumbprint of the new certificate.',
  },
  CertificateExpiresSoon: {
    checks: ['vcenter/cert-expiry'],
    meaning: 'The certificate of the vCenter expires within 30 days.',
    remedy:
      'Renew the machine certificate in the vSphere Client (Administration, Certificates, Certificate Management). With tls.thumbprints, first add the thumbprint of the new certificate.',
  },
  CertificateNotVerified: {
    checks: ['vcenter/insecure-mode'],
    meaning:
      'tls.insecure is true: the certificate of the vCenter is not verified, and anyone on the network path can read the password.',
    remedy: 'Set tls.thumbprints or tls.caBundle of the vCenter, and remove tls.insecure.',
  },
  ClockSkew: {
    checks: ['vcenter/clock-skew'],
    meaning:
      'The clocks of vCenter and cluster differ by more than 60 seconds. Tokens and certificates may be rejected.',
    remedy:
      'Use the same NTP servers: on the vCenter in the management interface (https://SERVER:5480, Time), on the nodes with chrony or systemd-timesyncd.',
  },
  VCenterSlow: {
    checks: ['vcenter/latency'],
    meaning: 'The vCenter needs 1.5 seconds or more to answer a simple call. Volumes take longer to create and attach.',
    remedy:
      'Check CPU, memory and disks of the vCenter in its management interface (https://SERVER:5480, Monitor), and the network between it and the cluster.',
  },
  ReplyUnreadable: {
    checks: ['vcenter/readable-replies'],
    meaning: 'A value in a reply of vCenter cannot be read and was ignored. Everything else works.',
    remedy:
      'Check the object named in the message. If it is in order, record the requests and replies with vdoctl vsphere qualify --record FILE, and report the problem with this file.',
  },
  VCenterUntried: {
    checks: ['vcenter/version-in-matrix'],
    meaning:
      "The version of vCenter is older than the drivers support; VDO uses it nevertheless, because it is the version of govmomi's simulator.",
    remedy: 'No action is needed if this is the simulator vcsim. Otherwise upgrade the vCenter.',
  },
  VCenterVersionUnsupported: {
    checks: ['vcenter/version-in-matrix'],
    meaning: 'The version of vCenter is too new or too old for the selected drivers.',
    remedy:
      'Too new: provide a newer compatibility matrix in spec.updates.matrix, or upgrade the operator. Too old: upgrade the vCenter.',
  },
  VCenterFeatureMissing: {
    checks: ['vcenter/features'],
    meaning:
      'The vCenter is too old for a feature that the spec uses. Volumes that need the feature are rejected; block volumes work.',
    remedy:
      'Upgrade the vCenter, or remove the feature from spec.csi. docs/reference/vcenter-features.md lists the features of each version.',
  },
  SessionLeak: {
    checks: ['vcenter/session-leak'],
    meaning:
      'The account has 50 sessions or more on the vCenter. A vCenter that runs out of sessions rejects all logins.',
    remedy: 'End unused sessions (govc session.ls, govc session.rm KEY), and give each program its own account.',
  },
  KubernetesTooNew: {
    checks: ['versions/cpi-skew', 'versions/csi-range'],
    meaning: 'The cluster has a newer version of Kubernetes than the selected release of the driver supports.',
    remedy: `${newerMatrix} Let the operator select the release (spec.updates.policy: Automatic).`,
  },
  KubernetesTooOld: {
    checks: ['versions/cpi-skew', 'versions/csi-range'],
    meaning: 'The cluster has an older version of Kubernetes than the selected release of the driver supports.',
    remedy: 'Upgrade Kubernetes, or set an older release of the driver in spec.updates.versions.',
  },
  MatrixExpired: {
    checks: ['versions/matrix-age'],
    meaning: 'The compatibility matrix has expired. It starts no upgrades; running drivers are kept and repaired.',
    remedy: newerMatrix,
  },
  MatrixExpires: {
    checks: ['versions/matrix-age'],
    meaning: 'The compatibility matrix expires within 30 days. After that it starts no upgrades.',
    remedy: newerMatrix,
  },
  MatrixStale: {
    checks: ['versions/matrix-age'],
    meaning: 'The compatibility matrix is more than 180 days old. The operator does not know newer releases.',
    remedy: newerMatrix,
  },
  // Of the kubelet.
  ErrImagePull: { ...imagePull, meaning: 'An image of a driver could not be pulled.' },
  ImagePullBackOff: {
    ...imagePull,
    meaning: 'An image of a driver could not be pulled several times. The kubelet waits before it tries again.',
  },
  InvalidImageName: {
    checks: ['versions/image-pull'],
    meaning: 'The name of an image of a driver is not valid.',
    remedy: 'Correct spec.images.registry.',
  },
  ErrImageNeverPull: {
    checks: ['versions/image-pull'],
    meaning: 'An image of a driver is not on the node, and the pull policy of the pod forbids to pull it.',
    remedy: 'Load the image onto the node, or remove the policy that sets imagePullPolicy: Never.',
  },
  RegistryUnavailable: { ...imagePull, meaning: 'The registry of an image of a driver does not answer.' },
};

/** Reasons of checks. Reasons that are error codes are explained as such, too. */
export const checkReasons: Readonly<Record<string, CheckReason>> = {
  ...nodeReasons,
  ...storageReasons,
  ...otherReasons,
};
