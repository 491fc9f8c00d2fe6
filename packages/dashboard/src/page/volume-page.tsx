import type { SnapshotFact, VolumeRow } from '../rows/volume-row.ts';
import { Entity, NotFound } from './entity.tsx';
import { size } from './format.ts';
import { Age, CopyCommand, Empty, Facts, Link, Section } from './parts.tsx';
import { volumeIndex } from './relations.ts';
import { addressOf } from './route.ts';
import type { State } from './store.ts';
import { datastoreName, OperationLine } from './volume-parts.tsx';

const Snapshot = ({ snapshot }: { readonly snapshot: SnapshotFact }) => (
  <>
    <b>{snapshot.name}</b> {snapshot.ready ? 'ready' : 'not ready'}
    {snapshot.size === undefined ? '' : `, ${size(snapshot.size)}`}, <Age sinceMs={snapshot.createdMs} suffix=" old" />
    {snapshot.error === undefined ? '' : <span class="error">{snapshot.error}</span>}
    {snapshot.restored.length === 0 ? (
      ''
    ) : (
      <ul class="tree">
        {snapshot.restored.map((claim) => (
          <li key={claim}>
            restored as <Link href={addressOf.claim(claim)}>{claim}</Link>
          </li>
        ))}
      </ul>
    )}
  </>
);

const commandsFor = ({ kind, name, claim, handle = '' }: VolumeRow): readonly string[] => {
  const [namespace = '', claimName = ''] = claim?.split('/') ?? [];
  if (kind === 'orphan') return [`vdoctl volumes cleanup --dry-run --id ${handle}`];
  return [
    ...(claim === undefined ? [] : [`kubectl describe pvc --namespace ${namespace} ${claimName}`]),
    ...(kind === 'volume' ? [`kubectl describe pv ${name}`] : []),
    'vdoctl volumes',
  ];
};

const Origin = ({ origin }: { readonly origin: string }) => {
  const [kind = '', name = ''] = origin.split(' ');
  return kind === 'PersistentVolumeClaim' ? (
    <>
      claim <Link href={addressOf.claim(name)}>{name}</Link>
    </>
  ) : (
    <>
      {kind} {name}
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
    ['Path', row.path === undefined ? '' : <span class="mono">{row.path}</span>],
    ['Id', row.handle === undefined ? '' : <span class="mono">{row.handle}</span>],
    ['Health by vCenter', row.diskHealth ?? ''],
  ] as const;

const claimFacts = (row: VolumeRow) =>
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
    ['Access', row.access.join(', ')],
    ['Mode', row.mode ?? ''],
    [
      'When the claim goes',
      row.reclaim === undefined ? '' : row.reclaim === 'Delete' ? 'the disk is deleted' : 'the disk is kept',
    ],
    ['Made from', row.origin === undefined ? '' : <Origin origin={row.origin} />],
    ['Age', row.createdMs === undefined ? '' : <Age sinceMs={row.createdMs} />],
    ['uid', row.uid === undefined ? '' : <span class="mono">{row.uid}</span>],
  ] as const;

const readNow = 'kubectl annotate vspheredrivers cluster --overwrite vdo.vmware.com/run-checks=now-$(date +%s)';

const whyNoDisk = ({ kind, createdMs = 0 }: VolumeRow, readAtMs: number | null): string => {
  if (kind === 'claim') return 'There is no disk yet.';
  if (readAtMs !== null && createdMs > readAtMs)
    return 'Not known yet: the volume was made after the checks last read vCenter. They do it every hour, or at once when asked:';
  return readAtMs === null
    ? 'Not known yet: the leader of the operator has not read the volumes.'
    : 'vCenter did not list this disk for this cluster when it was last asked.';
};

const DiskSection = ({ row, readAtMs }: { readonly row: VolumeRow; readonly readAtMs: number | null }) => (
  <Section title="In vCenter">
    {row.vcenter === undefined ? <Empty>{whyNoDisk(row, readAtMs)}</Empty> : <Facts facts={diskFacts(row)} />}
    {row.vcenter === undefined && row.kind === 'volume' ? <CopyCommand command={readNow} /> : ''}
    {row.vcenter === undefined || readAtMs === null ? (
      ''
    ) : (
      <p class="quiet">
        Read <Age sinceMs={readAtMs} suffix=" ago" />.
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
        <Section title="Under way" count={row.operations.length}>
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
        <Section title="Why it is called an orphan">
          <ul class="evidence">
            {row.evidence.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <p class="quiet">
            Nothing deletes it by itself. The command below says what would be deleted, and why or why not.
          </p>
        </Section>
      ) : (
        <Section title="In Kubernetes">
          <Facts facts={claimFacts(row)} />
        </Section>
      )}
      <DiskSection row={row} readAtMs={state.summary?.inventoryAtMs ?? null} />
      {kind === 'orphan' ? (
        ''
      ) : (
        <Section title="Used by">
          {row.attachments.length + row.pods.length === 0 ? <Empty>No node and no pod.</Empty> : ''}
          <ul class="list">
            {row.attachments.map(({ node, state: attached, sinceMs, error }) => (
              <li key={node}>
                {attached} {attached === 'detaching' ? 'from' : 'to'} <Link href={addressOf.node(node)}>{node}</Link>{' '}
                <Age sinceMs={sinceMs} suffix=" ago" />
                {error === undefined ? '' : <span class="error">{error}</span>}
              </li>
            ))}
            {row.pods.map(({ namespace, name: pod, phase, node }) => (
              <li key={`${namespace}/${pod}`}>
                pod{' '}
                <Link href={addressOf.pod(namespace, pod)}>
                  {namespace}/{pod}
                </Link>{' '}
                {phase}
                {node === undefined ? '' : ` on ${node}`}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {row.snapshots.length > 0 ? (
        <Section title="Snapshots" count={row.snapshots.length}>
          <ul class="tree">
            {row.snapshots.map((snapshot) => (
              <li key={snapshot.name}>
                <Snapshot snapshot={snapshot} />
              </li>
            ))}
          </ul>
        </Section>
      ) : (
        ''
      )}
    </Entity>
  );
};

/** A claim leads to its volume once there is one. */
export const claimRow = (state: State, claim: string): VolumeRow | undefined => volumeIndex(state).byClaim.get(claim);
