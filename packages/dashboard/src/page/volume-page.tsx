import type { VolumeRow } from '../rows/volume-row.ts';
import { Descent, hasDescent } from './descent.tsx';
import { Entity, NotFound } from './entity.tsx';
import { size } from './format.ts';
import { Age, CopyCommand, Empty, Facts, Link, Section } from './parts.tsx';
import { volumeIndex } from './relations.ts';
import { addressOf } from './route.ts';
import type { State } from './store.ts';
import { datastoreName, OperationLine } from './volume-parts.tsx';

const commandsFor = ({ kind, name, claim, handle = '' }: VolumeRow): readonly string[] => {
  const [namespace = '', claimName = ''] = claim?.split('/') ?? [];
  if (kind === 'orphan') return [`vdoctl volumes cleanup --dry-run --id ${handle}`];
  return [
    ...(claim === undefined ? [] : [`kubectl describe pvc --namespace ${namespace} ${claimName}`]),
    ...(kind === 'volume' ? [`kubectl describe pv ${name}`] : []),
    'vdoctl volumes',
  ];
};

const Origin = ({ state, origin }: { readonly state: State; readonly origin: string }) => {
  const [kind = '', name = ''] = origin.split(' ');
  if (kind === 'PersistentVolumeClaim')
    return (
      <>
        a clone of <Link href={addressOf.claim(name)}>{name}</Link>
      </>
    );
  const source = kind === 'VolumeSnapshot' ? volumeIndex(state).bySnapshot.get(name) : undefined;
  return (
    <>
      {kind === 'VolumeSnapshot' ? 'snapshot' : kind} {name}
      {source?.claim === undefined ? (
        ''
      ) : (
        <>
          {' '}
          of <Link href={addressOf.claim(source.claim)}>{source.claim}</Link>
        </>
      )}
    </>
  );
};

const diskFacts = (row: VolumeRow) =>
  [
    ['vCenter', row.vcenter === undefined ? '' : <Link href={addressOf.vcenter(row.vcenter)}>{row.vcenter}</Link>],
    [
      'Datastore',
      row.datastore === undefined ? (
        ''
      ) : (
        <Link href={addressOf.datastore(row.datastore)}>{datastoreName(row.datastore)}</Link>
      ),
    ],
    ['Disk path', row.path === undefined ? '' : <span class="mono">{row.path}</span>],
    ['Volume ID', row.handle === undefined ? '' : <span class="mono">{row.handle}</span>],
    ['Disk health', row.diskHealth ?? ''],
  ] as const;

const claimFacts = (state: State, row: VolumeRow) =>
  [
    ['Claim', row.claim ?? ''],
    ['PersistentVolume', row.kind === 'volume' ? <span class="mono">{row.name}</span> : ''],
    ['Phase', row.phase],
    ['Size', `${size(row.size)}${row.wanted === undefined ? '' : `, growing to ${size(row.wanted)}`}`],
    ['StorageClass', row.storageClass ?? ''],
    [
      'Storage policy',
      row.storageClass === undefined ? (
        ''
      ) : (
        <Link href={addressOf.policy(row.policy ?? 'none')}>{row.policy ?? 'none'}</Link>
      ),
    ],
    ['Access modes', row.access.join(', ')],
    ['Volume mode', row.mode ?? ''],
    [
      'Reclaim policy',
      row.reclaim === undefined
        ? ''
        : `${row.reclaim}: the disk is ${row.reclaim === 'Delete' ? 'deleted with the claim' : 'kept when the claim is deleted'}`,
    ],
    ['Created from', row.origin === undefined ? '' : <Origin state={state} origin={row.origin} />],
    ['Age', row.createdMs === undefined ? '' : <Age sinceMs={row.createdMs} />],
    ['PV UID', row.uid === undefined ? '' : <span class="mono">{row.uid}</span>],
  ] as const;

const readNow = 'kubectl annotate vspheredrivers cluster --overwrite vdo.vmware.com/run-checks=now-$(date +%s)';

const whyNoDisk = ({ kind, createdMs = 0 }: VolumeRow, readAtMs: number | null): string => {
  if (kind === 'claim') return 'There is no disk yet.';
  if (readAtMs !== null && createdMs > readAtMs)
    return 'Not known yet: the volume was created after the storage checks last read vCenter. They run every hour. To run them now:';
  return readAtMs === null
    ? 'Not known yet: the leader of the operator has not read the disks from vCenter. To read them now:'
    : 'vCenter did not list this disk for this cluster when it was last read. To read it again now:';
};

const DiskSection = ({ row, readAtMs }: { readonly row: VolumeRow; readonly readAtMs: number | null }) => (
  <Section title="In vCenter">
    {row.vcenter === undefined ? <Empty>{whyNoDisk(row, readAtMs)}</Empty> : <Facts facts={diskFacts(row)} />}
    {row.vcenter === undefined && row.kind === 'volume' ? <CopyCommand command={readNow} /> : ''}
    {row.vcenter === undefined || readAtMs === null ? (
      ''
    ) : (
      <p class="quiet">
        Read from vCenter <Age sinceMs={readAtMs} suffix=" ago" />.
      </p>
    )}
  </Section>
);

export const VolumePage = ({ state, row }: { readonly state: State; readonly row: VolumeRow | undefined }) => {
  if (!row) return <NotFound what="This volume" />;
  const { kind, name, claim } = row;
  return (
    <Entity
      state={state}
      kind={kind === 'orphan' ? 'Orphaned disk' : kind === 'claim' ? 'Claim' : 'Volume'}
      name={claim ?? name}
      health={row.health}
      note={row.note}
      trail={<a href="#/volumes">Volumes</a>}
      objects={[`PersistentVolume ${name}`, ...(claim === undefined ? [] : [`PersistentVolumeClaim ${claim}`])]}
      commands={commandsFor(row)}
    >
      {row.operations.length > 0 ? (
        <Section title="Operations in progress" count={row.operations.length}>
          <ul class="list">
            {row.operations.map((operation) => (
              <li key={`${operation.what} ${operation.on ?? ''}`}>
                <OperationLine operation={operation} />
              </li>
            ))}
          </ul>
        </Section>
      ) : (
        ''
      )}
      {row.evidence ? (
        <Section title="Why this disk is orphaned">
          <ul class="evidence">
            {row.evidence.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <p class="quiet">
            Nothing deletes it automatically. The command on this page is a dry run: it shows what would be deleted, and
            why.
          </p>
        </Section>
      ) : (
        <Section title="In Kubernetes">
          <Facts facts={claimFacts(state, row)} />
        </Section>
      )}
      <DiskSection row={row} readAtMs={state.summary?.inventoryAtMs ?? null} />
      {kind === 'orphan' ? (
        ''
      ) : (
        <Section title="Used by">
          {row.attachments.length + row.pods.length === 0 ? <Empty>No node or pod uses it.</Empty> : ''}
          <ul class="list">
            {row.attachments.map(({ node, state: attached, sinceMs }) => (
              <li key={node}>
                {attached} {attached === 'detaching' ? 'from' : 'to'} <Link href={addressOf.node(node)}>{node}</Link>{' '}
                {attached === 'attached' ? (
                  <Age sinceMs={sinceMs} suffix=" ago" />
                ) : (
                  <>
                    for <Age sinceMs={sinceMs} />
                  </>
                )}
              </li>
            ))}
            {row.pods.map(({ namespace, name: pod, phase, node }) => (
              <li key={`${namespace}/${pod}`}>
                pod{' '}
                <Link href={addressOf.pod(namespace, pod)}>
                  {namespace}/{pod}
                </Link>{' '}
                {phase}
                {node === undefined ? (
                  ''
                ) : (
                  <>
                    {' on '}
                    <Link href={addressOf.node(node)}>{node}</Link>
                  </>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {hasDescent(state, row) ? (
        <Section title="Snapshots and copies" count={row.snapshots.length || undefined}>
          <Descent state={state} row={row} />
        </Section>
      ) : (
        ''
      )}
    </Entity>
  );
};

/** The volume of a claim, or the claim while it has none. */
export const claimRow = (state: State, claim: string): VolumeRow | undefined => volumeIndex(state).byClaim.get(claim);
