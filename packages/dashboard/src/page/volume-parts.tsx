import type { Operation, VolumeRow } from '../rows/volume-row.ts';
import { size } from './format.ts';
import { Age, Dot, Link, Moment } from './parts.tsx';
import { addressOf } from './route.ts';
import { type Column, Table } from './table.tsx';

const verbs = {
  create: 'Creating',
  attach: 'Attaching',
  mount: 'Mounting',
  detach: 'Detaching',
  expand: 'Expanding',
  delete: 'Deleting',
  snapshot: 'Taking a snapshot',
} as const;

const toNode: Readonly<Partial<Record<Operation['what'], string>>> = { attach: 'to', detach: 'from' };

const StepTime = ({
  operation: { steps, done, sinceMs },
  index,
}: {
  readonly operation: Operation;
  readonly index: number;
}) => {
  if (index > done) return null;
  if (index === done) {
    const began = steps.slice(0, done).flatMap(({ atMs }) => atMs ?? []);
    return <Age sinceMs={Math.max(sinceMs, ...began)} prefix="waiting " />;
  }
  const { atMs } = steps[index] ?? {};
  return atMs === undefined ? null : <Moment atMs={atMs} />;
};

/** The steps of an operation, when each was done, and how long the current one has been waiting. */
export const OperationLine = ({ operation }: { readonly operation: Operation }) => {
  const { what, steps, done, sinceMs, on, error } = operation;
  return (
    <span class={`operation${error === undefined ? '' : ' failing'}`}>
      <span>
        <b>{verbs[what]}</b>
        {on === undefined ? (
          ''
        ) : what === 'snapshot' ? (
          ` ${on}`
        ) : (
          <>
            {` ${toNode[what] ?? 'on'} `}
            <Link href={addressOf.node(on)}>{on}</Link>
          </>
        )}{' '}
        <Age sinceMs={sinceMs} />
      </span>
      <ol class="steps" aria-label={`${done} of ${steps.length} steps done`}>
        {steps.map(({ name, task }, index) => (
          <li key={name} class={index < done ? 'done' : index === done ? 'now' : ''}>
            {task ?? name} <StepTime operation={operation} index={index} />
          </li>
        ))}
      </ol>
      {error === undefined ? '' : <span class="error">{error}</span>}
    </span>
  );
};

const kinds = { volume: '', claim: 'waiting', orphan: 'orphan' } as const;

const VolumeName = ({ row }: { readonly row: VolumeRow }) => (
  <span class="named">
    <Dot health={row.health} />
    <Link href={addressOf.volume(row.key)}>{row.claim ?? row.name}</Link>
    {kinds[row.kind] === '' ? '' : <span class="tag">{kinds[row.kind]}</span>}
  </span>
);

const attachedTo = ({ attachments }: VolumeRow) => (
  <>
    {attachments.slice(0, 2).map(({ node }) => (
      <span key={node} class="item">
        <Link href={addressOf.node(node)}>{node}</Link>{' '}
      </span>
    ))}
    {attachments.length > 2 ? ` +${attachments.length - 2}` : ''}
  </>
);

const usedBy = ({ pods }: VolumeRow) => (
  <>
    {pods.slice(0, 1).map(({ namespace, name }) => (
      <Link key={name} href={addressOf.pod(namespace, name)}>
        {name}
      </Link>
    ))}
    {pods.length > 1 ? ` +${pods.length - 1}` : ''}
  </>
);

export const datastoreName = (key: string): string => key.slice(key.indexOf('/') + 1);

const state = (row: VolumeRow) => {
  const [operation] = row.operations;
  if (operation)
    return (
      <>
        {`${verbs[operation.what]} `}
        <Age sinceMs={operation.sinceMs} />
      </>
    );
  return row.note === '' ? row.phase : <span title={row.note}>{row.note}</span>;
};

const columns: readonly Column<VolumeRow>[] = [
  { title: 'Claim', of: (row) => <VolumeName row={row} /> },
  { title: 'State', of: state },
  {
    title: 'Size',
    of: ({ size: bytes, wanted }) => `${size(bytes)}${wanted ? ` → ${size(wanted)}` : ''}`,
    number: true,
    broad: true,
  },
  {
    title: 'Datastore',
    of: ({ datastore }) =>
      datastore === undefined ? '–' : <Link href={addressOf.datastore(datastore)}>{datastoreName(datastore)}</Link>,
    minor: true,
  },
  {
    title: 'Policy',
    of: ({ policy, storageClass }) =>
      storageClass === undefined ? (
        '–'
      ) : (
        <Link href={addressOf.policy(policy ?? 'none')}>{policy ?? storageClass}</Link>
      ),
    minor: true,
  },
  { title: 'Attached to', of: attachedTo, minor: true },
  { title: 'Pod', of: usedBy, minor: true },
  {
    title: 'Snapshots',
    of: ({ snapshots }) => (snapshots.length === 0 ? '' : snapshots.length),
    minor: true,
    number: true,
  },
  {
    title: 'Volume',
    of: ({ name, kind }) => (kind === 'claim' ? '' : <span class="mono">{name}</span>),
    minor: true,
    rare: true,
    broad: true,
  },
];

/** Of disks without a PersistentVolume: what vCenter knows. */
const orphanColumns: readonly Column<VolumeRow>[] = [
  {
    title: 'Disk',
    of: ({ key, name, health }) => (
      <span class="named">
        <Dot health={health} />
        <Link href={addressOf.volume(key)}>{name}</Link>
      </span>
    ),
  },
  ...columns.filter(({ title }) => ['State', 'Size', 'Datastore'].includes(title)),
  { title: 'Disk path', of: ({ path }) => <span class="mono">{path ?? ''}</span>, minor: true, broad: true },
];

export const OrphanTable = ({ rows }: { readonly rows: readonly VolumeRow[] }) => (
  <Table rows={rows} columns={orphanColumns} label="Orphaned disks" />
);

export const VolumeTable = ({
  rows,
  label,
  without,
}: {
  readonly rows: readonly VolumeRow[];
  readonly label: string;
  /** Title of a column that would have the same value in every row. */
  readonly without?: string;
}) => <Table rows={rows} columns={columns.filter(({ title }) => title !== without)} label={label} />;

export const volumesTitle = (rows: readonly VolumeRow[]): string =>
  `${size(rows.reduce((sum, row) => sum + row.size, 0))} in total`;
