import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';

/** The vCenters as the operator saw them, or all in one version that is only planned. */
export const vcenterVersionsOf = (
  { spec, status }: VSphereDrivers,
  planned?: string,
): readonly { readonly server: string; readonly version: string }[] => {
  if (planned !== undefined) return spec.vcenters.map(({ server }) => ({ server, version: planned }));
  return (status?.versions?.vcenters ?? []).flatMap(({ server, version }) =>
    version === undefined ? [] : [{ server, version }],
  );
};
