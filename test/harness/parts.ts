import { join } from 'node:path';
import { type LocatedPart, locateParts } from '../../tools/parts/cache.mjs';

/** A program of tools/parts. */
export type PartName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-apiserver-next'
  | 'kube-apiserver-in-tree'
  | 'kube-controller-manager'
  | 'kube-controller-manager-in-tree'
  | 'kube-scheduler'
  | 'kubelet'
  | 'kubectl'
  | 'vcsim'
  | 'govc'
  | 'csi-sanity'
  | 'go-ccm'
  | 'helm'
  | 'csi-provisioner'
  | 'csi-resizer'
  | 'csi-snapshotter'
  | 'e2e.test'
  | 'agnhost'
  | 'ginkgo'
  | 'pyvmomi'
  | 'vdo-v0.1.0';

/** The path of a built part. Throws, naming the command that builds it, if it is missing. */
export function partPath(name: PartName): string {
  const part = locateParts().find((candidate) => candidate.name === name);
  if (!part) throw new Error(`tools/parts/catalog.mjs lists no part called ${name}`);
  if (!part.built) throw new Error(`${name} is not built (expected at ${part.path}): run \`npm run parts -- ${name}\``);
  return part.path;
}

/** The built program of an earlier release, as its users ran it: `node <path> …`. */
export const releasedProgram = (release: 'vdo-v0.1.0', app: 'operator' | 'cpi' | 'csi' | 'vdoctl'): string =>
  join(partPath(release), 'apps', app, 'dist/main.js');

/** The parts that are not built yet, without those on demand. */
export function missingParts(): LocatedPart[] {
  return locateParts().filter(({ built, onDemand }) => !built && !onDemand);
}
