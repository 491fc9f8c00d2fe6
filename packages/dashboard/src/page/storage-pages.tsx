import { useMemo } from 'preact/hooks';
import type { DatastoreRow, PolicyRow } from '../rows/place-rows.ts';
import type { VolumeRow } from '../rows/volume-row.ts';
import { Entity, NotFound } from './entity.tsx';
import { size, span } from './format.ts';
import { Field } from './map-field.tsx';
import { cellFor } from './map-layout.ts';
import { DatastoreSpace } from './map-parts.tsx';
import { mapAddress } from './map-tree.ts';
import { Dot, Empty, Facts, Link, Meter, Section, Some } from './parts.tsx';
import { Trail, Volumes } from './place-parts.tsx';
import { byNeed, policyList, volumeIndex } from './relations.ts';
import { addressOf } from './route.ts';
import type { State } from './store.ts';
import { datastoreName, VolumeTable } from './volume-parts.tsx';

/** A datastore in one line: how much of it is used. */
export const DatastoreLine = ({ datastore }: { readonly datastore: DatastoreRow }) => {
  const { key, name, capacity, free, health } = datastore;
  return (
    <span class="space-line">
      <Dot health={health} />
      <Link href={addressOf.datastore(key)}>{name}</Link>
      <Meter used={capacity - free} total={capacity} label={`${name}, space used`} health={health} />
      <span class="quiet">{size(free)} free</span>
    </span>
  );
};

/** All disks on a datastore, as a drawing and as a table, those with a problem first. */
const Disks = ({ state, datastore: { key, name } }: { readonly state: State; readonly datastore: DatastoreRow }) => {
  const found = volumeIndex(state).byDatastore.get(key);
  const rows = useMemo(() => [...(found ?? [])].sort(byNeed), [found]);
  const boxes = useMemo(() => [{ key, cells: rows }], [rows, key]);
  if (rows.length === 0)
    return (
      <Section title="Disks on it" wide>
        <Empty>No disk of this cluster.</Empty>
      </Section>
    );
  return (
    <Section title="Disks on it" count={rows.length} wide>
      <Field
        boxes={boxes}
        cell={Math.min(16, cellFor(rows.length))}
        label={`Disks on ${name}`}
        hrefOf={(row) => addressOf.volume(row.key)}
        linesOf={(row) => diskLines(row as VolumeRow)}
      />
      <p>
        <Link href={mapAddress({}, { datastore: key })}>Highlight the nodes that use them on the map</Link>
      </p>
      <VolumeTable rows={rows} label="Disks" without="Datastore" />
    </Section>
  );
};

const diskLines = ({ claim, note, phase, size: bytes, attachments }: VolumeRow): readonly string[] =>
  [claim ?? '', note || phase, size(bytes), attachments.map(({ node }) => `on ${node}`).join(', ')].filter(Boolean);

/** How the used space changed in the last hours, and when the datastore is full at that rate. */
const growthText = ({ growth, free }: DatastoreRow): string => {
  if (!growth) return 'not known yet: the space was read only once';
  const { bytes, sinceMs, untilMs } = growth;
  const lasted = untilMs - sinceMs;
  if (bytes === 0) return `no change in ${span(lasted)}`;
  const change = `${size(Math.abs(bytes))} ${bytes > 0 ? 'more' : 'less'} used than ${span(lasted)} before`;
  const leftMs = (free / bytes) * lasted;
  return bytes > 0 && leftMs < 90 * 86_400_000 ? `${change}; full in ${span(leftMs)} at this rate` : change;
};

export const DatastorePage = ({
  state,
  datastore,
}: {
  readonly state: State;
  readonly datastore: DatastoreRow | undefined;
}) => {
  if (!datastore) return <NotFound what="This datastore" />;
  const { key, name, vcenter, hosts } = datastore;
  const policies = policyList(state).filter(({ datastores }) => datastores?.includes(key));
  return (
    <Entity
      state={state}
      kind="Datastore"
      name={name}
      health={datastore.health}
      note={datastore.note}
      trail={<Trail vcenter={vcenter} />}
      objects={[`Datastore ${name}`]}
      commands={['vdoctl doctor']}
      wide={<Disks state={state} datastore={datastore} />}
    >
      <Section title="Space">
        <DatastoreSpace state={state} datastore={datastore} />
        <Facts
          facts={[
            ['Growth', growthText(datastore)],
            ['Type', datastore.type],
            [
              'URL',
              <span class="mono" key="url">
                {datastore.url}
              </span>,
            ],
          ]}
        />
      </Section>
      <Section title="Storage policies" count={policies.length}>
        <Some
          items={policies}
          limit={20}
          of={(policy) => <Link href={addressOf.policy(policy.key)}>{policy.name}</Link>}
        />
      </Section>
      <Section title="Hosts that mount it" count={hosts.length}>
        <Some items={hosts} limit={20} of={(host) => <Link href={addressOf.host(`${vcenter}/${host}`)}>{host}</Link>} />
      </Section>
    </Entity>
  );
};

export const PolicyPage = ({ state, policy }: { readonly state: State; readonly policy: PolicyRow | undefined }) => {
  if (!policy) return <NotFound what="This policy" />;
  const { key, name, classes, datastores } = policy;
  return (
    <Entity
      state={state}
      kind="Storage policy"
      name={name}
      health={policy.health}
      note={policy.note}
      trail={<a href="#/storage">Storage</a>}
      objects={[`StoragePolicy ${name}`, ...classes.map((one) => `StorageClass ${one.name}`)]}
      commands={['vdoctl vsphere policies list']}
      wide={<Volumes state={state} of={['byPolicy', key]} without="Policy" />}
    >
      <Section title="StorageClasses" count={classes.length}>
        <Some items={classes} limit={50} of={(one) => `${one.name}${one.isDefault ? ' (default)' : ''}`} />
      </Section>
      <Section title="Datastores that satisfy it" count={datastores?.length}>
        {datastores === undefined ? (
          <Empty>
            {key === 'none'
              ? 'Any datastore that the nodes share: these StorageClasses name no policy.'
              : 'Not known yet.'}
          </Empty>
        ) : (
          <Some
            items={datastores}
            limit={50}
            of={(one) => <Link href={addressOf.datastore(one)}>{datastoreName(one)}</Link>}
          />
        )}
      </Section>
    </Entity>
  );
};
