import { useMemo } from 'preact/hooks';
import type { DatastoreRow, PolicyRow } from '../rows/place-rows.ts';
import type { VolumeRow } from '../rows/volume-row.ts';
import { Entity, NotFound } from './entity.tsx';
import { size } from './format.ts';
import { Field } from './map-field.tsx';
import { cellFor } from './map-layout.ts';
import { DatastoreBar } from './map-parts.tsx';
import { mapAddress } from './map-tree.ts';
import { Dot, Empty, Facts, Link, Meter, Section, Some } from './parts.tsx';
import { Trail, Volumes } from './place-parts.tsx';
import { byNeed, policyList, volumeIndex } from './relations.ts';
import { addressOf } from './route.ts';
import type { State } from './store.ts';
import { datastoreName } from './volume-parts.tsx';

/** A datastore in one line: how much of it is taken. */
export const Room = ({ datastore }: { readonly datastore: DatastoreRow }) => {
  const { key, name, capacity, free, health } = datastore;
  return (
    <span class="room">
      <Dot health={health} />
      <Link href={addressOf.datastore(key)}>{name}</Link>
      <Meter used={capacity - free} total={capacity} label={`${name}, room taken`} health={health} />
      <span class="quiet">{size(free)} free</span>
    </span>
  );
};

/** Every disk on a datastore at a glance, those with a problem first. */
const Disks = ({ state, datastore: { key, name } }: { readonly state: State; readonly datastore: DatastoreRow }) => {
  const found = volumeIndex(state).byDatastore.get(key);
  const boxes = useMemo(
    () => (found ? [{ key, cells: [...found].sort(byNeed) as readonly VolumeRow[] }] : []),
    [found, key],
  );
  if (!found) return null;
  return (
    <Section title="Disks" count={found.length} wide>
      <Field
        boxes={boxes}
        cell={Math.min(16, cellFor(found.length))}
        label={`Disks on ${name}`}
        hrefOf={(row) => addressOf.volume(row.key)}
        linesOf={(row) => diskLines(row as VolumeRow)}
      />
      <p>
        <Link href={mapAddress({}, { datastore: key })}>Show the nodes that use them on the map</Link>
      </p>
    </Section>
  );
};

const diskLines = ({ claim, note, phase, size: bytes, attachments }: VolumeRow): readonly string[] =>
  [claim ?? '', note || phase, size(bytes), attachments.map(({ node }) => `on ${node}`).join(', ')].filter(Boolean);

export const DatastorePage = ({
  state,
  datastore,
}: {
  readonly state: State;
  readonly datastore: DatastoreRow | undefined;
}) => {
  if (!datastore) return <NotFound what="This datastore" />;
  const { key, name, vcenter, capacity, free, hosts } = datastore;
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
    >
      <Section title="Room">
        <ul class="stores">
          <DatastoreBar state={state} datastore={datastore} />
        </ul>
        <Facts
          facts={[
            ['Free', size(free)],
            ['Capacity', size(capacity)],
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
      <Section title="Hosts of nodes that mount it" count={hosts.length}>
        <Some items={hosts} limit={20} of={(host) => <Link href={addressOf.host(`${vcenter}/${host}`)}>{host}</Link>} />
      </Section>
      <Disks state={state} datastore={datastore} />
      <Volumes state={state} of={['byDatastore', key]} />
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
    >
      <Section title="StorageClasses" count={classes.length}>
        <Some items={classes} limit={50} of={(one) => `${one.name}${one.isDefault ? ' (default)' : ''}`} />
      </Section>
      <Section title="Datastores that satisfy it" count={datastores?.length}>
        {datastores === undefined ? (
          <Empty>{key === 'none' ? 'Any that the nodes share: these classes name no policy.' : 'Not known yet.'}</Empty>
        ) : (
          <Some
            items={datastores}
            limit={50}
            of={(one) => <Link href={addressOf.datastore(one)}>{datastoreName(one)}</Link>}
          />
        )}
      </Section>
      <Volumes state={state} of={['byPolicy', key]} />
    </Entity>
  );
};
