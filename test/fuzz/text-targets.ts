import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorCode } from '@vdo/base/error-codes';
import { isVdoError } from '@vdo/base/vdo-error';
import { parseVSphereDrivers, type UncheckedDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import { staticAddresses } from '@vdo/cpi/decisions/static-addresses';
import { readKubeconfig } from '@vdo/kube/kube-config/kubeconfig-file';
import { parseMatrix } from '@vdo/releases/matrix';
import { signMatrix, verifyMatrix } from '@vdo/releases/matrix-signature';
import { parseManifest } from '@vdo/releases/parse-manifest';
import { verifyBundle } from '@vdo/vdoctl/commands/bundle/verify-bundle';
import { tar } from '@vdo/vdoctl/shared/archive/tar';
import { untar } from '@vdo/vdoctl/shared/archive/untar';
import { read as readRepository } from '../docs/repository.ts';
import type { FuzzTarget } from './fuzz.ts';

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Read, or refused with one of the named errors; anything else is thrown on. */
const orRefused = async (attempt: () => unknown, ...codes: readonly ErrorCode[]): Promise<boolean> => {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (!isVdoError(error, ...codes)) throw error;
    return false;
  }
};

const yamlPieces = [
  ...[': ', '- ', '\n  ', '&a ', '*a', '!!binary ', '!!js/function ', '|\n', '>-\n', '? ', '{', '[', '}', ']', '---\n'],
  ...['<<: *a', '"', "'", '#', '%YAML 9.9\n', '\t', '&a [*a, *a]', '- - - '],
];

const ini = `[Global]
user = "k8s@vsphere.local"
password = "a\\"b;c#d"
port = 443
insecure-flag = false
cluster-id = one

[VirtualCenter "vc.example.com"]
datacenters = east, west
thumbprint = ${'AA:'.repeat(19)}AA

[Labels]
region = k8s-region
zone = k8s-zone

[NetPermissions "A"]
ips = "10.0.0.0/8"
permissions = "READ_WRITE"
`;
const yaml = `global:
  port: 443
  insecureFlag: false
  secretName: vcenter
  secretNamespace: vmware-system-vdo
vcenter:
  one:
    server: vc.example.com
    datacenters: [east, west]
    thumbprint: "${'AA:'.repeat(19)}AA"
labels: { region: k8s-region, zone: k8s-zone }
nodes: { internalNetworkSubnetCidr: 10.0.0.0/8, externalVmNetworkName: net }
csi: { clusterId: one }
`;
const readConfig = (bytes: Uint8Array) =>
  orRefused(() => readDriverConfig(textOf(bytes), { unknownKeys: 'warn', driver: 'csi' }), 'ConfigInvalid');

const manifest = `apiVersion: v1
kind: ConfigMap
metadata: { name: net }
data: { cidr: 10.0.0.0/8 }
---
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Secret, metadata: { name: s, labels: &l { a: b } } }
  - { apiVersion: v1, kind: Secret, metadata: { name: t, labels: *l } }
`;

const kubeconfig = `apiVersion: v1
kind: Config
current-context: a
clusters: [{ name: c, cluster: { server: "https://127.0.0.1:1", certificate-authority: ca.crt } }]
users: [{ name: u, user: { exec: { command: ./plugin, args: [a] }, tokenFile: token } }]
contexts: [{ name: a, context: { cluster: c, user: u } }]
`;

const jsonPieces = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  'null',
  'true',
  '1e999',
  '\\u0000',
  '{"a":',
  '[[',
  '"__proto__":{}',
];

const keys = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const matrix = readRepository('packages/releases/src/embedded-matrix.json');
const signature = signMatrix(matrix, [keys.privateKey]);

const resource = JSON.stringify({
  apiVersion: 'vdo.vmware.com/v1beta1',
  kind: 'VSphereDrivers',
  metadata: { name: 'cluster' },
  spec: {
    distribution: 'Native',
    vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter', tls: { thumbprints: ['A'.repeat(40)] } }],
    cpi: { replicas: 1 },
    csi: { snapshots: { install: true, classes: [{ name: 'a' }] } },
    advanced: { logLevel: 'debug', csiNode: { extraArgs: ['--log-level=debug'], env: { TZ: 'UTC' } } },
  },
});

const index = {
  schemaVersion: 1,
  vdoctl: '0.1.0',
  registry: 'mirror.example.com',
  kubernetes: '1.34',
  matrix: { serial: 1, source: 'a', signed: true },
  releases: [{ driver: 'cpi', distribution: 'Native', version: '0.1.0' }],
  images: [],
  files: [{ path: 'manifests/a.yaml', bytes: 3, sha256: '0'.repeat(64) }],
};
const bundle = tar(
  [
    { path: 'bundle.json', content: bytesOf(JSON.stringify(index)) },
    { path: 'bundle.json.sig', content: bytesOf(signature) },
    { path: 'matrix/matrix.json', content: bytesOf('{}') },
    { path: 'manifests/a.yaml', content: bytesOf(manifest) },
  ],
  { seconds: 0 },
);

/** An enemy sums up again what he has changed. */
const withSums = (bytes: Uint8Array): Buffer => {
  const archive = Buffer.from(bytes);
  for (let at = 0; at + 512 <= archive.length; at += 512) {
    const header = archive.subarray(at, at + 512);
    if (header.toString('latin1', 257, 262) !== 'ustar') continue;
    header.write('        ', 148, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  }
  return archive;
};

const readBundle = (bytes: Uint8Array): boolean => {
  let entries: ReturnType<typeof untar>;
  try {
    entries = untar(withSums(bytes));
  } catch (error) {
    if (error instanceof RangeError && !/call stack|array length/i.test(error.message)) return false;
    throw error;
  }
  return verifyBundle(entries, [keys.publicKey]).problems.length === 0 || entries.length > 0;
};

const inGuestInfo = (bytes: Uint8Array) => ({
  'guestinfo.metadata': Buffer.from(bytes).toString('base64'),
  'guestinfo.metadata.encoding': 'base64',
});

const kubeconfigTarget = (): FuzzTarget => {
  const folder = mkdtempSync(join(tmpdir(), 'fz-'));
  const path = join(folder, 'config');
  return {
    name: 'kubeconfig',
    seeds: [bytesOf(kubeconfig)],
    pieces: [...yamlPieces, ...jsonPieces],
    read: (bytes) => {
      writeFileSync(path, bytes);
      return orRefused(() => readKubeconfig(path), 'KubeConfigInvalid');
    },
    close: async () => rmSync(folder, { recursive: true }),
  };
};

/** Everything that people write and programs read, except what comes over a connection. */
export const textTargets = (): readonly FuzzTarget[] => [
  {
    name: 'INI',
    seeds: [bytesOf(ini)],
    pieces: ['[', ']', '"', '\\', '=', ';', '#', '\n', '[VirtualCenter "a"]\n', '\\\n', 'port = ', ' '],
    read: readConfig,
  },
  { name: 'YAML: vsphere.conf', seeds: [bytesOf(yaml)], pieces: yamlPieces, read: readConfig },
  {
    name: 'YAML: manifests',
    seeds: [bytesOf(manifest)],
    pieces: yamlPieces,
    read: (bytes) => orRefused(() => parseManifest(textOf(bytes), 'a file'), 'CniManifestInvalid'),
  },
  {
    name: 'YAML: metadata of a VM',
    seeds: [bytesOf('instance-id: one\nnetwork:\n  ethernets:\n    id0: { addresses: [192.168.1.12/24] }\n')],
    pieces: yamlPieces,
    read: (bytes) => orRefused(() => staticAddresses(inGuestInfo(bytes), { vmName: 'node-1' }), 'NodeMetadataInvalid'),
  },
  {
    name: 'matrix',
    seeds: [bytesOf(matrix)],
    pieces: jsonPieces,
    read: (bytes) => orRefused(() => parseMatrix(textOf(bytes), 'a file'), 'MatrixInvalid'),
  },
  {
    name: 'signature',
    seeds: [bytesOf(signature)],
    pieces: [...jsonPieces, 'ed25519', '=='],
    read: (bytes) =>
      orRefused(
        () => verifyMatrix({ text: matrix, signature: textOf(bytes), trustedKeys: [keys.publicKey], source: 'a file' }),
        'MatrixSignatureInvalid',
      ),
  },
  {
    name: 'VSphereDrivers',
    seeds: [bytesOf(resource)],
    pieces: jsonPieces,
    read: (bytes) => {
      let object: Partial<UncheckedDrivers> | null;
      try {
        object = JSON.parse(textOf(bytes));
      } catch {
        return false;
      }
      // An API server, and a reader of YAML before it, see to the rest.
      const { metadata, ...rest } = object ?? {};
      if (typeof metadata !== 'object' || metadata === null) return false;
      return orRefused(() => parseVSphereDrivers({ ...rest, metadata } as UncheckedDrivers), 'ConfigInvalid');
    },
  },
  { name: 'bundle', seeds: [bundle], pieces: [...jsonPieces, '\0', '-0000000001', '../', 'ustar'], read: readBundle },
  kubeconfigTarget(),
];
