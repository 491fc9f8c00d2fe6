import { featureLack, offersFeature } from '@vdo/config/vcenter-features';
import type { Asker, Choice } from './asker.ts';
import type { Answers, SpecDraft } from './draft.ts';
import type { LiveLists } from './live-lists.ts';
import type { WizardAnswers } from './saved-answers.ts';

export interface StepInput {
  readonly asker: Asker;
  readonly lists: LiveLists;
  /** The answers given as flags. */
  readonly known: Answers;
  /** The answers so far, including those of an earlier run. */
  readonly answers: WizardAnswers;
  /** The existing configuration. */
  readonly base: SpecDraft;
}

export interface Step {
  readonly name: string;
  readonly title: string;
  /** Why the question is skipped; undefined if it is asked. */
  readonly passed: (input: StepInput) => string | undefined;
  readonly ask: (input: StepInput) => Promise<WizardAnswers>;
}

const named = (names: readonly string[]): readonly Choice<string>[] =>
  names.map((name) => ({ label: name, value: name }));
const gib = (bytes: bigint): string => `${bytes >> 30n} GiB free`;
const none: Choice<null> = { label: 'none', value: null };

/** A note if vSAN is present but vCenter is too old for its file shares. */
const offersFiles = ({ datastores, version }: LiveLists): boolean | string => {
  if (!datastores.some(({ type }) => type === 'vsan')) return false;
  return offersFeature(version, 'file-volumes') || featureLack('file-volumes', version);
};

/** The candidate whose name states its purpose; null if there is none, or more than one. */
const likely = (names: readonly string[], word: string): string | null => {
  const found = names.filter((name) => name.toLowerCase().includes(word));
  return found.length === 1 ? (found[0] ?? null) : null;
};

const drivers: Step = {
  name: 'drivers',
  title: 'Drivers',
  passed: ({ known, base }) =>
    known.distribution
      ? `${known.distribution} (from the flag)`
      : base.distribution && `${base.distribution} (from the resource; change it with --distribution)`,
  ask: async ({ asker, answers }) => ({
    distribution: await asker.one<'Native' | 'Upstream'>(
      'Which drivers?',
      [
        { label: 'Native: drivers of this project', value: 'Native' },
        { label: 'Upstream: drivers of the Kubernetes project', value: 'Upstream' },
      ],
      answers.distribution,
    ),
  }),
};

const datacenters: Step = {
  name: 'datacenters',
  title: 'Datacenters',
  passed: ({ known, lists }) => {
    if (known.datacenters.length > 0) return `${known.datacenters.join(', ')} (from the flags)`;
    return lists.datacenters.length === 0 ? 'the account cannot see any datacenter' : undefined;
  },
  ask: async ({ asker, lists, answers, base, known }) => {
    const before = base.vcenters?.find(({ server }) => server.toLowerCase() === known.server.toLowerCase());
    const fallback = answers.datacenters ?? before?.datacenters ?? [];
    const question = 'Which datacenters contain the node VMs?';
    return {
      datacenters: [...(await asker.some(question, named(lists.datacenters), { none: 'all', fallback }))],
    };
  },
};

const zones: Step = {
  name: 'zones',
  title: 'Regions and zones',
  passed: ({ known, lists }) => {
    if (known.region !== undefined && known.zone !== undefined)
      return `${known.region}, ${known.zone} (from the flags)`;
    return lists.categories.length === 0 ? 'none: this vCenter has no tag categories' : undefined;
  },
  ask: async ({ asker, lists, known, answers, base }) => {
    const categories = [none, ...named(lists.categories)];
    const choose = (what: 'region' | 'zone') => {
      const fallback =
        answers[what] === undefined ? (base.topology?.[what] ?? likely(lists.categories, what)) : answers[what];
      return asker.one<string | null>(`Which tag category identifies ${what}s?`, categories, fallback);
    };
    const region = known.region ?? (await choose('region'));
    return { region, zone: known.zone ?? (await choose('zone')) };
  },
};

const same = (left: string | null | undefined, right: string | null | undefined): boolean =>
  left !== undefined && left !== null && left === right;

const storage: Step = {
  name: 'storage',
  title: 'Storage',
  passed: ({ known }) => {
    if (!known.csi) return 'skipped: no storage driver (--no-csi)';
    const given = known.storagePolicy ?? known.datastoreUrl;
    return given === undefined ? undefined : `${given} (from the flag)`;
  },
  ask: async ({ asker, lists, known, answers, base }) => {
    type Place = Pick<WizardAnswers, 'storagePolicy' | 'datastoreUrl'>;
    const nowhere: Place = { storagePolicy: null, datastoreUrl: null };
    const places: readonly Choice<Place>[] = [
      { label: 'do not create a StorageClass', value: nowhere },
      ...lists.policies.map((name) => ({
        label: `policy ${name}`,
        value: { storagePolicy: name, datastoreUrl: null },
      })),
      ...lists.datastores.map(({ name, url, type, freeBytes }) => ({
        label: `datastore ${name} (${type}, ${gib(freeBytes)})`,
        value: { storagePolicy: null, datastoreUrl: url },
      })),
    ];
    const before = base.csi?.storageClasses?.find(({ name }) => name === 'vsphere');
    const isBefore = (of: Place | typeof before) => (place: Place) =>
      same(place.storagePolicy, of?.storagePolicy) || same(place.datastoreUrl, of?.datastoreUrl);
    const values = places.map(({ value }) => value);
    const fallback = values.find(isBefore(answers)) ?? values.find(isBefore(before)) ?? nowhere;
    const chosen = await asker.one('Where should the default StorageClass "vsphere" create volumes?', places, fallback);
    const asksFiles = !known.fileVolumes && offersFiles(lists) === true;
    const files = answers.fileVolumes ?? base.csi?.fileVolumes !== undefined;
    return {
      ...chosen,
      fileVolumes: asksFiles
        ? await asker.yes('File volumes (ReadWriteMany) on vSAN file services?', files)
        : known.fileVolumes,
    };
  },
};

const network: Step = {
  name: 'network',
  title: 'Network',
  passed: ({ known, lists }) => {
    if (!known.cpi) return 'skipped: no cloud controller manager (--no-cpi)';
    if (known.network !== undefined) return `${known.network} (from the flag)`;
    return lists.networks.length > 1 ? undefined : 'only one network found';
  },
  ask: async ({ asker, lists, answers, base }) => {
    const before = answers.network === undefined ? base.cpi?.addresses?.internal?.network : answers.network;
    return {
      network: await asker.one<string | null>(
        'Which VM network provides the internal addresses of the nodes?',
        [{ label: 'the first address of each VM', value: null }, ...named(lists.networks)],
        before ?? null,
      ),
    };
  },
};

/** The questions after the login to vCenter, in this order. */
export const steps: readonly Step[] = [drivers, datacenters, zones, storage, network];

/** Before these steps: vCenter and account. After them: the review. */
export const titles = ['vCenter', 'Account', ...steps.map(({ title }) => title), 'Review'] as const;

/** What the user should know about this vCenter, without a question. */
export const remarks = (lists: LiveLists): readonly string[] => {
  const files = offersFiles(lists);
  return typeof files === 'string' ? [`File volumes are not available: ${files}.`] : [];
};

const given = <T extends Readonly<Record<string, unknown>>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

/** The flags, and the answers for everything that is not set by a flag. */
export const joinAnswers = (known: Answers, answers: WizardAnswers): Answers => {
  const { distribution, datacenters: chosen = [], fileVolumes = false, region, zone, network: wanted } = answers;
  const isPlaced = known.storagePolicy !== undefined || known.datastoreUrl !== undefined;
  const place = isPlaced ? {} : given({ storagePolicy: answers.storagePolicy, datastoreUrl: answers.datastoreUrl });
  return {
    ...given({ distribution, region, zone, network: wanted }),
    ...place,
    ...known,
    datacenters: known.datacenters.length > 0 ? known.datacenters : chosen,
    fileVolumes: known.fileVolumes || fileVolumes,
  };
};
