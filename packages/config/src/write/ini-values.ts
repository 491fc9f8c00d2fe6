import { VdoError } from '@vdo/base/vdo-error';
import type { VCenterConfig } from '../driver-config.ts';
import type { IniValue } from '../ini/write-ini.ts';

/** INI lists are texts with commas, so no item can contain a comma. */
export const iniList = (items: readonly string[], field: string): string | undefined => {
  const comma = items.find((item) => item.includes(','));
  if (comma !== undefined) {
    throw new VdoError({
      code: 'ConfigInvalid',
      message: `${field} "${comma}" contains a comma, which the INI format does not support`,
      remedy: 'Use the YAML format instead.',
    });
  }
  return items.length > 0 ? items.join(',') : undefined;
};

/** The keys of a vCenter that exist in both INI files. */
export const iniConnection = ({ port, tls, datacenters }: VCenterConfig): Readonly<Record<string, IniValue>> => ({
  port: String(port),
  'insecure-flag': tls.insecure || undefined,
  thumbprint: iniList(tls.thumbprints, 'thumbprint'),
  'ca-file': tls.caFile,
  datacenters: iniList(datacenters, 'datacenter'),
});
