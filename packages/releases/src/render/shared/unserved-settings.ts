import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { topologyLabelPrefix } from '@vdo/config/names';
import type { Release } from '../../matrix.ts';

interface Unserved {
  readonly field: string;
  readonly why: string;
}

/** Topology labels that the Go driver would not set on nodes: volumes would be created for nodes that nothing finds. */
const unservedLabels = ({
  topology,
  vcenters,
}: Pick<VSphereDriversSpec, 'topology' | 'vcenters'>): readonly Unserved[] => {
  const categories = topology?.categories ?? [];
  const isServed =
    vcenters.length === 1 && categories.length === 2 && categories.every(({ label }) => label !== undefined);
  const index = isServed
    ? -1
    : categories.findIndex(({ name, label }) => label !== undefined && label !== `${topologyLabelPrefix}${name}`);
  if (index === -1) return [];
  const why = `the upstream storage driver sets its own labels, ${topologyLabelPrefix}<category>, except with one vCenter and two categories, each with a label`;
  return [{ field: `topology.categories[${index}].label`, why }];
};

const upstreamStorage = ({ csi, vcenters, topology }: VSphereDriversSpec): readonly Unserved[] => [
  ...unservedLabels({ topology, vcenters }),
  ...(csi?.fileVolumes && csi.fileVolumes.datastoreUrls.length > 0
    ? [{ field: 'csi.fileVolumes.datastoreUrls', why: 'the upstream driver finds vSAN datastores automatically' }]
    : []),
  ...(csi?.fileVolumes && csi.fileVolumes.clusters.length > 0
    ? [{ field: 'csi.fileVolumes.clusters', why: 'the upstream driver uses every vSAN cluster with file services' }]
    : []),
  ...severalThumbprints(vcenters),
];

const severalThumbprints = (vcenters: VSphereDriversSpec['vcenters']): readonly Unserved[] =>
  vcenters.flatMap(({ tls }, index) =>
    tls.thumbprints.length > 1
      ? [
          {
            field: `vcenters[${index}].tls.thumbprints[1]`,
            why: 'the upstream drivers support one thumbprint per vCenter',
          },
        ]
      : [],
  );

const upstreamCloud = ({ cpi, vcenters }: VSphereDriversSpec): readonly Unserved[] => [
  ...(cpi?.nodeLabels
    ? [{ field: 'cpi.nodeLabels', why: 'the upstream cloud controller manager sets no labels' }]
    : []),
  ...severalThumbprints(vcenters),
];

/** Refuses settings that the selected releases would silently ignore. */
export const requireServed = (
  spec: VSphereDriversSpec,
  releases: { readonly cpi?: Release; readonly csi?: Release },
): void => {
  const unserved = [
    ...(spec.csi && releases.csi?.distribution === 'Upstream' ? upstreamStorage(spec) : []),
    ...(spec.cpi && releases.cpi?.distribution === 'Upstream' ? upstreamCloud(spec) : []),
  ];
  if (unserved.length === 0) return;
  const fields = [...new Set(unserved.map(({ field }) => `spec.${field}`))];
  const reasons = [...new Set(unserved.map(({ why }) => why))];
  throw new VdoError({
    code: 'ConfigInvalid',
    message: `${fields.join(', ')} cannot be used with distribution Upstream: ${reasons.join('; ')}`,
    remedy: `Remove ${fields.join(', ')} from the VSphereDrivers resource, or set spec.distribution to Native.`,
  });
};
