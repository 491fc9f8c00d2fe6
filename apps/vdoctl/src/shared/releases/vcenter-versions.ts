import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';

/** The vCenter versions as reported by the operator, or one planned version for all. */
export const vcenterVersionsOf = (
  { spec, status }: VSphereDrivers,
  planned?: string,
): readonly { readonly server: string; readonly version: string }[] => {
  if (planned !== undefined) return spec.vcenters.map(({ server }) => ({ server, version: planned }));
  return (status?.versions?.vcenters ?? []).flatMap(({ server, version }) =>
    version === undefined ? [] : [{ server, version }],
  );
};
