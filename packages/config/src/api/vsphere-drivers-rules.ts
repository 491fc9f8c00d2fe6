import { names } from '../names.ts';
import type { VSphereDriversSpec } from './vsphere-drivers.ts';

/** A rule that the schema cannot express: in CEL for the API server, and in TypeScript for all other programs. */
export interface ValidationRule {
  /** Where the rule is attached, from the root of the object: `` (root), `spec`, `spec.vcenters[].tls`. */
  readonly path: string;
  /** CEL; `self` is the value at the path. */
  readonly rule: string;
  /** The problem and the edit that fixes it. */
  readonly message: string;
  /** The field with the problem, relative to the path, as CEL's fieldPath. */
  readonly fieldPath?: string;
  /** The same rule in TypeScript; gets the value at the path. */
  readonly holds: (self: never) => boolean;
}

const define = <T>(rule: Omit<ValidationRule, 'holds'> & { readonly holds: (self: T) => boolean }): ValidationRule =>
  rule;

const oneSource = (path: string): ValidationRule =>
  define<{ url?: unknown; configMap?: unknown; file?: unknown }>({
    path,
    rule: '(has(self.url) ? 1 : 0) + (has(self.configMap) ? 1 : 0) + (has(self.file) ? 1 : 0) == 1',
    message: 'set exactly one of url, configMap and file',
    holds: (self) => [self.url, self.configMap, self.file].filter((source) => source !== undefined).length === 1,
  });

/** Secrets that the operator writes: it would read its own output, never see a new password, and delete them at the end. */
const writtenSecrets: readonly string[] = [
  names.credentialsSecret,
  names.cpiCredentials,
  names.csiCredentials,
  names.metricsTlsSecret,
];

const sourceOfAccounts = (path: string): ValidationRule =>
  define<string>({
    path,
    rule: `!(self in [${writtenSecrets.map((name) => `'${name}'`).join(', ')}])`,
    message: `the operator writes the Secrets ${writtenSecrets.join(', ')} itself: use a Secret with another name for the account`,
    holds: (self) => !writtenSecrets.includes(self),
  });

export const vsphereDriversRules: readonly ValidationRule[] = [
  define<{ metadata: { name?: string } }>({
    path: '',
    rule: "self.metadata.name == 'cluster'",
    message: 'there is one VSphereDrivers resource per cluster: set metadata.name to cluster',
    holds: (self) => self.metadata.name === 'cluster',
  }),
  define<VSphereDriversSpec>({
    path: 'spec',
    rule: 'has(self.cpi) || has(self.csi)',
    message: 'nothing to install: set cpi, csi or both (an empty object, {}, uses the defaults)',
    holds: (self) => self.cpi !== undefined || self.csi !== undefined,
  }),
  define<VSphereDriversSpec>({
    path: 'spec',
    rule: '!has(self.csi) || size(self.vcenters) < 2 || (has(self.topology) && (has(self.topology.region) || has(self.topology.zone) || size(self.topology.categories) > 0))',
    message: 'storage on several vCenters needs topology: set topology.zone or topology.region',
    fieldPath: '.topology',
    holds: (self) =>
      self.csi === undefined ||
      self.vcenters.length < 2 ||
      (self.topology !== undefined &&
        (self.topology.region !== undefined ||
          self.topology.zone !== undefined ||
          self.topology.categories.length > 0)),
  }),
  define<VSphereDriversSpec>({
    path: 'spec',
    rule: "self.updates.policy != 'Pinned' || (has(self.updates.versions) && (!has(self.cpi) || has(self.updates.versions.cpi)) && (!has(self.csi) || has(self.updates.versions.csi)))",
    message: 'policy Pinned needs a release for each driver: set updates.versions.cpi and updates.versions.csi',
    fieldPath: '.updates',
    holds: (self) =>
      self.updates.policy !== 'Pinned' ||
      ((self.cpi === undefined || self.updates.versions?.cpi !== undefined) &&
        (self.csi === undefined || self.updates.versions?.csi !== undefined) &&
        self.updates.versions !== undefined),
  }),
  define<VSphereDriversSpec>({
    path: 'spec',
    rule: "self.distribution == 'Native' || !has(self.csi) || self.csi.sidecars == 'Integrated'",
    message: 'csi.sidecars applies only to the native driver: remove it with distribution Upstream',
    fieldPath: '.csi',
    holds: (self) => self.distribution === 'Native' || self.csi === undefined || self.csi.sidecars === 'Integrated',
  }),
  define<VSphereDriversSpec>({
    path: 'spec',
    rule: '!has(self.csi) || self.csi.storageClasses.filter(c, c.default).size() <= 1',
    message: 'at most one of csi.storageClasses can be the default: keep default: true on one of them',
    fieldPath: '.csi',
    holds: (self) => (self.csi?.storageClasses ?? []).filter((storageClass) => storageClass.default).length <= 1,
  }),
  define<VSphereDriversSpec['vcenters'][number]['tls']>({
    path: 'spec.vcenters[].tls',
    rule: '(self.insecure ? 1 : 0) + (size(self.thumbprints) > 0 ? 1 : 0) + (has(self.caBundle) ? 1 : 0) <= 1',
    message: 'set only one of thumbprints, caBundle and insecure',
    holds: (self) =>
      [self.insecure, self.thumbprints.length > 0, self.caBundle !== undefined].filter(Boolean).length <= 1,
  }),
  define<Record<string, string>>({
    path: 'spec.cpi.nodeLabels',
    rule: "self.all(key, !key.contains('kubernetes.io/') && !key.contains('k8s.io/'))",
    message: 'labels in the domains kubernetes.io and k8s.io are reserved for Kubernetes: use another domain',
    holds: (self) => Object.keys(self).every((key) => !key.includes('kubernetes.io/') && !key.includes('k8s.io/')),
  }),
  sourceOfAccounts('spec.vcenters[].credentialsSecret'),
  sourceOfAccounts('spec.cpi.credentialsSecret'),
  sourceOfAccounts('spec.csi.credentialsSecret'),
  oneSource('spec.updates.matrix'),
  oneSource('spec.cni.manifest'),
];
