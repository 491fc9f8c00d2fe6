/** A certificate and its key; clients need both for access. */
export interface EtcdAccess {
  readonly certPath: string;
  readonly keyPath: string;
}

const etcdAccessArgs = ({ certPath, keyPath }: EtcdAccess): readonly string[] =>
  // Peers too: a peer can write everything.
  ['', 'peer-'].flatMap((prefix) => [
    `--${prefix}cert-file=${certPath}`,
    `--${prefix}key-file=${keyPath}`,
    `--${prefix}trusted-ca-file=${certPath}`,
    `--${prefix}client-cert-auth`,
  ]);

/** A single etcd that stores its data in `dataFolder` and never waits for the disk: the data is temporary. */
export const etcdArgs = (options: {
  readonly dataFolder: string;
  readonly url: string;
  readonly peerUrl: string;
  /** Absent: every user of this machine can read and write everything. */
  readonly access?: EtcdAccess;
}): readonly string[] => [
  '--name=only',
  `--data-dir=${options.dataFolder}`,
  `--listen-client-urls=${options.url}`,
  `--advertise-client-urls=${options.url}`,
  `--listen-peer-urls=${options.peerUrl}`,
  `--initial-advertise-peer-urls=${options.peerUrl}`,
  `--initial-cluster=only=${options.peerUrl}`,
  '--unsafe-no-fsync',
  '--log-level=warn',
  ...(options.access ? etcdAccessArgs(options.access) : []),
];

/** kube-apiserver with RBAC on a port of 127.0.0.1; the caller adds the authentication flags. */
export const apiServerArgs = (options: {
  readonly etcdUrl: string;
  /** Absent: etcd requires no client certificate. */
  readonly etcdAccess?: EtcdAccess;
  readonly port: number;
  /** A folder that it can write to. */
  readonly folder: string;
  readonly certPath: string;
  readonly keyPath: string;
  readonly serviceAccountKeyPath: string;
}): readonly string[] => [
  `--etcd-servers=${options.etcdUrl}`,
  ...(options.etcdAccess
    ? [
        `--etcd-cafile=${options.etcdAccess.certPath}`,
        `--etcd-certfile=${options.etcdAccess.certPath}`,
        `--etcd-keyfile=${options.etcdAccess.keyPath}`,
      ]
    : []),
  '--bind-address=127.0.0.1',
  `--secure-port=${options.port}`,
  // The kubernetes Service refuses loopback endpoints; without this the log is full of it.
  '--endpoint-reconciler-type=none',
  '--service-cluster-ip-range=10.96.0.0/16',
  `--cert-dir=${options.folder}`,
  `--tls-cert-file=${options.certPath}`,
  `--tls-private-key-file=${options.keyPath}`,
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${options.serviceAccountKeyPath}`,
  `--service-account-signing-key-file=${options.serviceAccountKeyPath}`,
  '--authorization-mode=RBAC',
  '--allow-privileged=true',
];

/** DNS names in the certificate of the API server. */
export const apiServerNames = ['127.0.0.1', '10.96.0.1', 'localhost', 'kubernetes', 'kubernetes.default.svc'];

/**
 * The controllers that work without a cloud and without a kubelet: they create service accounts, empty namespaces,
 * bind and attach volumes, collect garbage and turn workloads into pods (which stay pending).
 */
export const standardControllers = [
  'clusterrole-aggregation-controller',
  'daemonset-controller',
  'deployment-controller',
  'ephemeral-volume-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolume-attach-detach-controller',
  'persistentvolume-binder-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'replicaset-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'statefulset-controller',
] as const;

/** kube-controller-manager with only these controllers. */
export const controllerManagerArgs = (options: {
  readonly kubeconfigPath: string;
  readonly rootCaPath: string;
  readonly serviceAccountKeyPath: string;
  readonly controllers: readonly string[];
}): readonly string[] => [
  `--kubeconfig=${options.kubeconfigPath}`,
  `--controllers=${options.controllers.join(',')}`,
  `--service-account-private-key-file=${options.serviceAccountKeyPath}`,
  `--root-ca-file=${options.rootCaPath}`,
  '--leader-elect=false',
  '--secure-port=0',
];
