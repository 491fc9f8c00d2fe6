import { featureLack, offersFeature } from '@vdo/config/vcenter-features';
import type { Asker, Choice } from './asker.ts';
import type { ConfigureFlags } from './command.ts';
import type { Answers } from './draft.ts';
import type { LiveLists } from './live-lists.ts';

/** What is known before the vCenter is asked. */
export type Connection = Pick<Answers, 'server' | 'port' | 'thumbprint' | 'caBundle' | 'insecure'>;

const named = (names: readonly string[]): readonly Choice<string>[] =>
  names.map((name) => ({ label: name, value: name }));
const gib = (bytes: bigint): string => `${bytes >> 30n} GiB free`;
const none: Choice<undefined> = { label: 'none', value: undefined };

/** What the flags say; whatever they leave open is open here too. */
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

/** A sentence if vSAN is there and the vCenter too old to make shares on it. */
export const offersFiles = ({ datastores, version }: LiveLists): boolean | string => {
  if (!datastores.some(({ type }) => type === 'vsan')) return false;
  return offersFeature(version, 'file-volumes') || featureLack('file-volumes', version);
};

type Storage = Pick<Answers, 'storagePolicy' | 'datastoreUrl' | 'fileVolumes'>;

const askStorage = async (asker: Asker, lists: LiveLists, known: Answers): Promise<Storage> => {
  const open = known.storagePolicy === undefined && known.datastoreUrl === undefined;
  const chosen = open
    ? await asker.one<Partial<Storage> | undefined>('Where does the default StorageClass "vsphere" keep volumes?', [
        { label: 'make no StorageClass', value: undefined },
        ...lists.policies.map((name) => ({ label: `policy ${name}`, value: { storagePolicy: name } })),
        ...lists.datastores.map(({ name, url, type, freeBytes }) => ({
          label: `datastore ${name} (${type}, ${gib(freeBytes)})`,
          value: { datastoreUrl: url },
        })),
      ])
    : undefined;
  const fileVolumes =
    known.fileVolumes ||
    (offersFiles(lists) === true && (await asker.yes('File volumes (ReadWriteMany) on vSAN file services?')));
  return { ...chosen, fileVolumes };
};

/** Asks for what is open, with what the vCenter has to choose from. */
export const askOpen = async (
  asker: Asker,
  lists: LiveLists,
  known: Answers,
  base: { readonly distribution?: Answers['distribution'] },
): Promise<Answers> => {
  const distribution =
    known.distribution ??
    base.distribution ??
    (await asker.one<'Native' | 'Upstream'>('Whose drivers?', [
      { label: "Native: this project's own", value: 'Native' },
      { label: 'Upstream: those of the Kubernetes project', value: 'Upstream' },
    ]));
  const datacenters =
    known.datacenters.length > 0
      ? known.datacenters
      : await asker.some('Which datacenters hold the node VMs?', named(lists.datacenters), 'all');
  const categories = [none, ...named(lists.categories)];
  const askCategory = (what: string) =>
    lists.categories.length > 0 ? asker.one(`Which tag category names ${what}?`, categories) : undefined;
  const region = known.region ?? (await askCategory('regions'));
  const zone = known.zone ?? (await askCategory('zones'));
  const storage = known.csi ? await askStorage(asker, lists, known) : {};
  const network =
    known.network ??
    (known.cpi && lists.networks.length > 1
      ? await asker.one('Which network has the internal addresses of the nodes?', [
          { label: 'the first address of each VM', value: undefined },
          ...named(lists.networks),
        ])
      : undefined);
  return {
    ...known,
    ...storage,
    distribution,
    datacenters,
    ...(region === undefined ? {} : { region }),
    ...(zone === undefined ? {} : { zone }),
    ...(network === undefined ? {} : { network }),
  };
};
