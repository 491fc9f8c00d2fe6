import { type Check, type CheckObject, fail, pass, skipped, unknown, type Verdict, warn } from '../check.ts';
import { valueIn } from '../facts/reading.ts';
import type { ClusterFacts, DriverReleaseFacts } from '../facts.ts';
import { nodeObject } from '../node-object.ts';
import { driversObject, notRead } from '../not-read.ts';

const dayMs = 24 * 3_600_000;
const staleDays = 180;
/** How long before its expiry a matrix causes a warning. */
const earlyDays = 30;
/** Kubernetes supports kubelets up to three minor releases older than the API server, two before 1.28. */
const skewAllowed = (serverMinor: number): number => (serverMinor >= 28 ? 3 : 2);
const newerMatrix =
  'Set spec.updates.matrix to a newer compatibility matrix, or upgrade the operator, whose image contains one.';

const driverObject = ({ kind }: Pick<DriverReleaseFacts, 'kind'>): CheckObject => ({ kind: 'Driver', name: kind });

const judgeRange = (driver: DriverReleaseFacts, { kube }: ClusterFacts): Verdict => {
  const object = driverObject(driver);
  const { kubernetes, version, distribution, kind, installed } = driver;
  const what = `${distribution} ${kind} ${version}`;
  if (!kubernetes) return unknown(object, `the compatibility matrix does not list ${what}`, 'versions/matrix-age');
  const range = `${kubernetes.min} to ${kubernetes.max}`;
  if (kubernetes.verdict === 'inside') return pass(object, `${what} supports Kubernetes ${range}`);
  const cluster = valueIn(kube.serverVersion) ?? 'of this cluster';
  const newer = kubernetes.verdict === 'too-new';
  return fail(object, {
    reason: newer ? 'KubernetesTooNew' : 'KubernetesTooOld',
    message: `${what} supports Kubernetes ${range}, but the cluster has ${cluster}`,
    ...(newer
      ? {
          remedy: `${newerMatrix}${installed ? ' If updates are not automatic, allow the operator to install a newer release:' : ''}`,
          ...(installed
            ? {
                commands: [
                  `kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"updates":{"policy":"Automatic"}}}'`,
                ],
              }
            : {}),
        }
      : {
          remedy: `Upgrade Kubernetes to ${kubernetes.min} or later, or set an older release in spec.updates.versions.${kind.toLowerCase()}.`,
        }),
  });
};

const rangeCheck = (kind: 'CPI' | 'CSI', check: Pick<Check, 'id' | 'title' | 'meaning' | 'remedy'>): Check => ({
  ...check,
  action: 'BlockUpgrade',
  judge: (cluster) => {
    const asked = kind === 'CPI' ? cluster.spec.cpi : cluster.spec.csi;
    if (!asked) return [skipped(driverObject({ kind }), `spec.${kind.toLowerCase()} is not set`)];
    const driver = cluster.releases.drivers.find((one) => one.kind === kind);
    return [
      driver
        ? judgeRange(driver, cluster)
        : unknown(driverObject({ kind }), 'no release was chosen', 'the condition Ready'),
    ];
  },
});

const minorOf = (version: string | undefined): number | undefined => {
  const minor = /^v?1\.(\d+)/.exec(version ?? '')?.[1];
  return minor === undefined ? undefined : Number(minor);
};

const judgeKubelets = ({ kube, nodes }: ClusterFacts): readonly Verdict[] => {
  const server = valueIn(kube.serverVersion);
  const serverMinor = minorOf(server);
  if (serverMinor === undefined)
    return [notRead(driversObject, kube.serverVersion, 'the version of the API server', 'the log of the operator')];
  return nodes.map((facts) => {
    const object = nodeObject(facts);
    const version = facts.node.status?.nodeInfo?.kubeletVersion;
    const minor = minorOf(version);
    if (minor === undefined) return unknown(object, 'its kubelet has not reported a version yet', 'cluster/cni-ready');
    const oldest = serverMinor - skewAllowed(serverMinor);
    if (minor >= oldest && minor <= serverMinor) return pass(object, `its kubelet is ${version}`);
    return fail(object, {
      reason: 'KubeletSkew',
      message: `its kubelet is ${version}, the API server ${server}; expected 1.${oldest} to 1.${serverMinor}`,
      remedy: `Upgrade the kubelet of ${object.name}: kubectl drain ${object.name} --ignore-daemonsets --delete-emptydir-data; on the node: apt-get install kubelet=1.${serverMinor}.* && kubeadm upgrade node && systemctl restart kubelet; kubectl uncordon ${object.name}`,
    });
  });
};

const judgeAge = ({ releases: { matrix }, nowMs }: ClusterFacts): Verdict => {
  if (!matrix) return unknown(driversObject, 'no compatibility matrix was read', 'versions/matrix-signature');
  const days = Math.floor((nowMs - matrix.publishedMs) / dayMs);
  const what = `matrix ${matrix.serial} from ${matrix.source}`;
  const { expiresMs = Number.POSITIVE_INFINITY } = matrix;
  if (nowMs >= expiresMs - earlyDays * dayMs) {
    const day = new Date(expiresMs - 1).toISOString().slice(0, 10);
    const isOver = nowMs >= expiresMs;
    return warn(driversObject, {
      reason: isOver ? 'MatrixExpired' : 'MatrixExpires',
      message: isOver
        ? `${what} expired on ${day}: it starts no upgrades; running drivers are kept, repaired and rolled back`
        : `${what} expires on ${day}; after that it starts no upgrades`,
      remedy: newerMatrix,
    });
  }
  if (days <= staleDays) return pass(driversObject, `${what} is ${days} days old`);
  return warn(driversObject, {
    reason: 'MatrixStale',
    message: `${what} was published ${days} days ago, so that newer releases are unknown; expected at most ${staleDays}`,
    remedy: newerMatrix,
  });
};

const judgeSignature = ({ releases: { matrix } }: ClusterFacts): Verdict => {
  if (!matrix) return unknown(driversObject, 'no compatibility matrix was read', 'the condition Ready');
  if (matrix.refused) {
    const { code: reason, message, remedy } = matrix.refused;
    return fail(driversObject, {
      reason,
      message: `${message}; matrix ${matrix.serial} from ${matrix.source} stays in use`,
      remedy,
    });
  }
  if (matrix.signature === 'embedded') return pass(driversObject, 'the matrix is part of the operator');
  if (matrix.signature === 'trusted')
    return pass(driversObject, `the matrix from ${matrix.source} is signed by a trusted key`);
  return fail(driversObject, {
    reason: 'MatrixUntrusted',
    message: `the matrix from ${matrix.source} ${matrix.signature === 'unsigned' ? 'has no signature' : 'is signed by a key that is not trusted'}`,
    remedy:
      'Add the public key of its publisher to spec.updates.trustedKeys, or remove spec.updates.matrix to use the matrix of the operator.',
  });
};

const pullReasons = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
];

const judgeImages = ({ kube }: ClusterFacts): readonly Verdict[] => {
  const pods = valueIn(kube.unreadyPods);
  if (!pods) return [notRead(driversObject, kube.unreadyPods, 'the pods of the drivers', 'the log of the operator')];
  const failing = pods.flatMap((pod) =>
    pod.waiting.filter(({ reason }) => pullReasons.includes(reason)).map((waiting) => ({ pod, waiting })),
  );
  if (failing.length === 0) return [pass(driversObject, 'all images could be pulled')];
  return failing.map(({ pod, waiting }) => {
    const { name, namespace, nodeName = '?' } = pod;
    return fail(
      { kind: 'Pod', name, namespace },
      {
        reason: waiting.reason,
        message: `${waiting.image} cannot be pulled on node ${nodeName}${waiting.message ? `: ${waiting.message}` : ''}`,
        remedy: `Set spec.images.registry to a registry that has the image, and spec.images.pullSecrets to the Secret for it: kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"images":{"registry":"REGISTRY","pullSecrets":["SECRET"]}}}'`,
      },
    );
  });
};

export const versionChecks: readonly Check[] = [
  rangeCheck('CPI', {
    id: 'versions/cpi-skew',
    title: 'The cloud controller manager supports this version of Kubernetes.',
    meaning:
      'A cloud controller manager uses the libraries of one Kubernetes minor release, and is tested with that one.',
    remedy:
      'Let the operator select the release (`spec.updates.policy: Automatic`), or set a newer compatibility matrix.',
  }),
  rangeCheck('CSI', {
    id: 'versions/csi-range',
    title: 'The storage driver supports this version of Kubernetes.',
    meaning: 'This release has not been tested with this version of Kubernetes.',
    remedy:
      'Let the operator select the release (`spec.updates.policy: Automatic`), or set a newer compatibility matrix.',
  }),
  {
    id: 'versions/kubelet-skew',
    title: 'No kubelet is newer than the API server, or more than three minor releases older.',
    meaning: 'Kubernetes does not support this combination, and driver releases are not tested with it.',
    remedy: 'Upgrade the kubelet of the node.',
    action: 'BlockUpgrade',
    judge: judgeKubelets,
  },
  {
    id: 'versions/matrix-age',
    title: `The compatibility matrix is at most ${staleDays} days old, and does not expire within ${earlyDays} days.`,
    meaning: 'The operator does not know newer releases or warnings about bad ones.',
    remedy: newerMatrix,
    action: 'None',
    judge: (cluster) => [judgeAge(cluster)],
  },
  {
    id: 'versions/matrix-signature',
    title: 'The compatibility matrix can be read and is signed by a trusted key.',
    meaning:
      'Anyone who can change the matrix controls what runs with privileges on every node. The last good matrix stays in use.',
    remedy: 'Add the key of the publisher to `spec.updates.trustedKeys`, or correct `spec.updates.matrix`.',
    action: 'BlockUpgrade',
    judge: (cluster) => [judgeSignature(cluster)],
  },
  {
    id: 'versions/image-pull',
    title: 'The images of the drivers can be pulled.',
    meaning: 'A pod of a driver does not start.',
    remedy:
      'Set `spec.images.registry` to a registry that the nodes can reach, and `spec.images.pullSecrets` if it requires a login.',
    action: 'BlockUpgradeOrDegrade',
    judge: judgeImages,
  },
];
