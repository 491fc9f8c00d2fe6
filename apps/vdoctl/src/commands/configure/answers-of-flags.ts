import type { ConfigureFlags } from './command.ts';
import type { Answers } from './draft.ts';

/** What is known before vCenter is queried. */
export type Connection = Pick<Answers, 'server' | 'port' | 'thumbprint' | 'caBundle' | 'insecure'>;

/** The answers given as flags. */
export const answersOfFlags = (flags: ConfigureFlags, connection: Connection): Answers => {
  const { datacenter, fileVolumes, cpi, csi } = flags;
  const { secret, distribution, region, zone, storagePolicy, datastoreUrl, network } = flags;
  return {
    ...connection,
    datacenters: datacenter,
    fileVolumes,
    cpi,
    csi,
    ...(secret === undefined ? {} : { secret }),
    ...(distribution === undefined ? {} : { distribution }),
    ...(region === undefined ? {} : { region }),
    ...(zone === undefined ? {} : { zone }),
    ...(storagePolicy === undefined ? {} : { storagePolicy }),
    ...(datastoreUrl === undefined ? {} : { datastoreUrl }),
    ...(network === undefined ? {} : { network }),
  };
};
