import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of Debian as it is part of an image. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly sha256: string;
}

interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

export interface SbomInput {
  /** What the bill is about, such as `vdo-node`. */
  readonly subject: string;
  readonly version: string;
  /** Sources that esbuild has bundled, from the root of the repository. */
  readonly inputs: readonly string[];
  readonly packages: readonly DebianPackage[];
  readonly node?: string;
  /** Seconds since 1970. */
  readonly epoch: number;
}

const folderOf = (path: string): string | undefined => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

const bundledPackages = (inputs: readonly string[], root: string): readonly NpmPackage[] => {
  const folders = new Set(inputs.flatMap((path) => folderOf(path) ?? []));
  const read = [...folders].map(
    (folder): NpmPackage => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  );
  const byName = new Map(read.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
};

const npmComponent = ({ name, version, license }: NpmPackage) => {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    ...{ type: 'library', 'bom-ref': purl, name, version, purl },
    ...(typeof license === 'string' ? { licenses: [{ expression: license }] } : {}),
  };
};

const debComponent = ({ name, version, architecture, sha256 }: DebianPackage) => {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-12`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, hashes: [{ alg: 'SHA-256', content: sha256 }] };
};

const nodeComponent = (version: string) => {
  const purl = `pkg:generic/node@${version}`;
  return { type: 'platform', 'bom-ref': purl, name: 'node', version, purl };
};

/** A CycloneDX bill of what is really inside: the packages that were bundled, those of Debian, and Node. */
export const sbomOf = (input: SbomInput, root: string): unknown => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    timestamp: new Date(input.epoch * 1000).toISOString(),
    component: { type: 'container', 'bom-ref': input.subject, name: input.subject, version: input.version },
  },
  components: [
    ...(input.node === undefined ? [] : [nodeComponent(input.node)]),
    ...input.packages.map(debComponent),
    ...bundledPackages(input.inputs, root).map(npmComponent),
  ],
});
