import { names } from '@vdo/config/names';
import type { ClusterFacts } from './facts.ts';

/** Where the storage driver runs: the Go programs live where their own manifests put them. */
export const storageNamespace = ({
  releases,
  spec,
  namespace,
}: Pick<ClusterFacts, 'releases' | 'spec' | 'namespace'>): string => {
  const running = releases.drivers.find(({ kind }) => kind === 'CSI')?.distribution;
  return (running ?? spec.distribution) === 'Upstream' ? names.upstreamCsiNamespace : namespace;
};
