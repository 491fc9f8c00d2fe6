import { isNamedCluster } from '@vdo/config/named-cluster';
import { type Check, type CheckObject, fail, pass, skipped, type Verdict } from '../check.ts';
import { valueIn } from '../facts/reading.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { driversObject, few, notRead } from '../not-read.ts';
import { vcenterObject } from '../vcenter/reachability.ts';

const because = 'vcenter/answers, credentials/login and storage/datastore-accessible';

type FileCluster = NonNullable<ReturnType<typeof clustersOf>>[number];
const clustersOf = (facts: VCenterFacts) => valueIn(facts.fileClusters);

const clusterObject = (name: string): CheckObject => ({ kind: 'ClusterComputeResource', name });

/** One name of the spec, on all vCenters that were read. */
const judgeName = (name: string, known: readonly FileCluster[]): Verdict => {
  const found = known.filter((one) => isNamedCluster(one, [name]));
  const [first] = found;
  if (!first)
    return fail(clusterObject(name), {
      reason: 'FileClusterMissing',
      message: `csi.fileVolumes.clusters names ${name}, but the nodes reach vSAN datastores of ${few(known.map(({ path }) => path)) || 'no cluster'} only`,
      remedy:
        'Correct the name in csi.fileVolumes.clusters, or mount the vSAN datastore of that cluster on the hosts of the nodes.',
    });
  if (found.every(({ enabled }) => enabled === false))
    return fail(clusterObject(name), {
      reason: 'FileServiceDisabled',
      message: `the vSAN file service of ${first.path} is disabled, expected enabled: csi.fileVolumes.clusters names this cluster`,
      remedy: `In the vSphere Client, enable the file service: ${first.path}, Configure, vSAN, Services, File Service.`,
    });
  return pass(clusterObject(name), `${first.path} stores file volumes`);
};

/** Without names: every cluster whose file service is not disabled is used. */
const judgeAny = (facts: VCenterFacts, known: readonly FileCluster[]): Verdict => {
  const able = known.filter(({ enabled }) => enabled !== false).map(({ path }) => path);
  const object = vcenterObject(facts);
  return pass(object, able.length > 0 ? `${few(able)} can store file volumes` : 'no cluster of it stores file volumes');
};

export const fileClustersCheck: Check = {
  id: 'storage/file-clusters',
  title: 'The vSAN clusters in `spec.csi.fileVolumes.clusters` exist, and their file service is enabled.',
  meaning: 'Claims for file volumes stay pending if no named cluster can store them.',
  remedy: 'Correct `spec.csi.fileVolumes.clusters`, or enable the file service of the cluster in the vSphere Client.',
  action: 'BlockUpgrade',
  judge: ({ spec, vcenters }: ClusterFacts) => {
    const wanted = spec.csi?.fileVolumes?.clusters;
    if (!wanted) return [skipped(driversObject, 'spec.csi.fileVolumes is not set')];
    const unread = vcenters.filter((facts) => clustersOf(facts) === undefined);
    const unknown = unread.map((facts) =>
      notRead(vcenterObject(facts), facts.fileClusters, 'its vSAN clusters', because),
    );
    const read = vcenters.flatMap((facts) => {
      const known = clustersOf(facts);
      return known ? [{ facts, known }] : [];
    });
    if (wanted.length === 0) return [...unknown, ...read.map(({ facts, known }) => judgeAny(facts, known))];
    // While a vCenter was not read, a name that the others do not have may be one of its clusters.
    const all = read.flatMap(({ known }) => known);
    const judged = wanted.map((name) => judgeName(name, all));
    return [...unknown, ...judged.filter(({ reason }) => unknown.length === 0 || reason !== 'FileClusterMissing')];
  },
};
