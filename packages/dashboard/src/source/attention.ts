import { causesOf } from '@vdo/config/api/causes';
import type { FailingCheck, VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import type { Attention, ObjectRef, Remedy } from '../rows/attention-row.ts';
import type { NodeRow } from '../rows/place-rows.ts';
import type { VolumeRow } from '../rows/volume-row.ts';
import { groupBy, millis } from './volume-facts.ts';

export interface AttentionFacts {
  readonly status: VSphereDriversStatus | undefined;
  readonly nodes: readonly NodeRow[];
  readonly volumes: readonly VolumeRow[];
}

const severities = { Fail: 'fail', Warn: 'warn', Unknown: 'unknown' } as const;
const ranks = { fail: 0, warn: 1, unknown: 2 } as const;
const shownObjects = 50;

const remedyOf = ({ remedy, commands = [], docs }: Pick<FailingCheck, 'remedy' | 'commands' | 'docs'>): Remedy => ({
  text: remedy,
  commands,
  ...(docs ? { docs } : {}),
});

const plural: Readonly<Record<string, string>> = {
  VCenter: 'vCenters',
  PersistentVolume: 'volumes',
  PersistentVolumeClaim: 'claims',
  StorageClass: 'StorageClasses',
  StoragePolicy: 'storage policies',
};
const word: Readonly<Record<string, string>> = { VCenter: 'vCenter', PersistentVolume: 'Volume' };

const counted = (objects: readonly ObjectRef[], id: string): string => {
  const [first] = objects;
  if (!first) return id;
  const kind = word[first.kind] ?? first.kind;
  if (objects.length === 1) return `${kind} ${first.namespace ? `${first.namespace}/` : ''}${first.name}`;
  return `${objects.length} ${plural[first.kind] ?? `${first.kind.toLowerCase()}s`}`;
};

const uniqueObjects = (checks: readonly FailingCheck[]): readonly ObjectRef[] => [
  ...new Map(
    checks.flatMap(({ object }) =>
      object
        ? [
            [
              `${object.kind} ${object.namespace ?? ''}/${object.name}`,
              {
                kind: object.kind,
                name: object.name,
                ...(object.namespace ? { namespace: object.namespace } : {}),
              },
            ] as const,
          ]
        : [],
    ),
  ).values(),
];

const fromChecks = (
  failing: readonly FailingCheck[],
  { seenMs, unknown }: { readonly seenMs: number | undefined; readonly unknown: number },
): readonly Attention[] =>
  causesOf(failing, unknown).map(({ key, findings, hidden }): Attention => {
    const [worst] = [...findings].sort(
      (left, right) => ranks[severities[left.result]] - ranks[severities[right.result]],
    );
    const objects = uniqueObjects(findings);
    return {
      key: `check/${key.replaceAll(' ', '/')}`,
      severity: severities[worst?.result ?? 'Unknown'],
      title: counted(objects, worst?.id ?? key),
      message: worst?.message ?? '',
      reason: worst?.reason ?? '',
      objects: objects.slice(0, shownObjects),
      checks: [...new Set(findings.map(({ id }) => id))],
      hidden,
      ...(seenMs === undefined ? {} : { seenMs }),
      remedy: worst ? remedyOf(worst) : { text: '', commands: [] },
    };
  });

const fromNodes = (facts: AttentionFacts, covered: ReadonlySet<string>): readonly Attention[] => {
  const failing = new Map((facts.status?.nodes?.failing ?? []).map((one) => [one.name, one]));
  const sick = facts.nodes.filter(({ name, health }) => health === 'bad' && !covered.has(`Node ${name}`));
  const noteOf = ({ name, note }: NodeRow): string => failing.get(name)?.message ?? note;
  return [...groupBy(sick, (row) => failing.get(row.name)?.reason ?? row.note)].map(([reason, rows]): Attention => {
    const [first] = rows;
    const known = failing.get(first?.name ?? '');
    const objects = rows.map(({ name }) => ({ kind: 'Node', name }));
    return {
      key: `node/${reason}`,
      severity: 'fail',
      title: counted(objects, 'Node'),
      message: first ? noteOf(first) : '',
      reason: known?.reason ?? '',
      objects: objects.slice(0, shownObjects),
      checks: [],
      hidden: 0,
      remedy: known
        ? remedyOf(known)
        : {
            text: 'Check the conditions and the events of the node.',
            commands: [`kubectl describe node ${first?.name ?? ''}`],
          },
    };
  });
};

const describeCommand = ({ kind, name, claim }: VolumeRow): string => {
  const [namespace, claimName] = claim?.split('/') ?? [];
  if (kind === 'claim' || (claimName && namespace)) return `kubectl describe pvc --namespace ${namespace} ${claimName}`;
  return `kubectl describe pv ${name}`;
};

const refOf = ({ kind, name, claim }: VolumeRow): ObjectRef => {
  const [namespace, claimName] = claim?.split('/') ?? [];
  return kind === 'claim' && claimName
    ? { kind: 'PersistentVolumeClaim', name: claimName, namespace: namespace ?? '' }
    : { kind: 'PersistentVolume', name };
};

/** What volumes of one cause have in common: the note without what differs from volume to volume. */
const volumeCause = ({ note, operations }: VolumeRow): string => {
  const [failed] = operations.filter(({ error }) => error !== undefined);
  return failed ? `cannot ${failed.what}: ${failed.error}` : note;
};

const fromVolumes = ({ volumes }: AttentionFacts, covered: ReadonlySet<string>): readonly Attention[] => {
  const sick = volumes.filter(
    ({ kind, name, health }) =>
      // Orphans are reported by the check, which knows how old they are.
      kind !== 'orphan' && (health === 'bad' || health === 'warn') && !covered.has(`PersistentVolume ${name}`),
  );
  return [...groupBy(sick, volumeCause)].map(([cause, rows]): Attention => {
    const [first] = rows;
    const objects = rows.map(refOf);
    const since = Math.min(...rows.flatMap(({ operations }) => operations.map(({ sinceMs }) => sinceMs)));
    return {
      key: `volume/${cause}`,
      severity: rows.some(({ health }) => health === 'bad') ? 'fail' : 'warn',
      title: rows.length === 1 && first?.claim ? `Volume ${first.claim}` : counted(objects, 'Volume'),
      message: first?.note ?? '',
      reason: '',
      objects: objects.slice(0, shownObjects),
      checks: [],
      hidden: 0,
      ...(Number.isFinite(since) && since > 0 ? { sinceMs: since } : {}),
      remedy: {
        text: 'The events of the claim show what the storage driver tried.',
        commands: first ? [describeCommand(first)] : [],
      },
    };
  });
};

const conditionTitles = {
  Stalled: 'Manual action is required',
  Available: 'The drivers are not available',
  Degraded: 'The drivers are degraded',
} as const;

/** A condition that no other cause reports: while the state is bad, the list is not empty. */
const fromConditions = ({ status }: AttentionFacts, others: readonly Attention[]): readonly Attention[] => {
  const find = (type: string, state: string) =>
    status?.conditions?.find((condition) => condition.type === type && condition.status === state);
  const isFailing = others.some(({ severity }) => severity === 'fail');
  const holding = [
    find('Stalled', 'True'),
    // During the first installation, not available is expected.
    find('Progressing', 'True') ? undefined : find('Available', 'False'),
    isFailing ? undefined : find('Degraded', 'True'),
  ].filter((condition) => condition !== undefined);
  const isListed = (message: string, reason: string): boolean =>
    others.some((cause) => cause.message === message || cause.reason === reason);
  const [worst] = holding.filter(({ message, reason }) => !isListed(message, reason));
  if (!worst) return [];
  const { type, message, reason, lastTransitionTime } = worst;
  const sinceMs = millis(lastTransitionTime);
  return [
    {
      key: `condition/${type}`,
      severity: 'fail',
      title: conditionTitles[type as keyof typeof conditionTitles],
      message,
      reason,
      objects: [],
      checks: [],
      hidden: 0,
      ...(sinceMs === undefined ? {} : { sinceMs }),
      remedy: {
        text: 'Check the state of the drivers, and what the reason means.',
        commands: ['vdoctl status', `vdoctl explain ${reason || type}`],
      },
    },
  ];
};

/** What needs attention, grouped by cause, the worst first. */
export const attentionOf = (facts: AttentionFacts): readonly Attention[] => {
  const { failing = [], lastRunTime, unknown = 0 } = facts.status?.checks ?? {};
  const checks = fromChecks(failing, { seenMs: millis(lastRunTime), unknown });
  const covered = new Set(checks.flatMap(({ objects }) => objects.map(({ kind, name }) => `${kind} ${name}`)));
  const found = [...checks, ...fromNodes(facts, covered), ...fromVolumes(facts, covered)];
  return [...fromConditions(facts, found), ...found].sort(
    (left, right) => ranks[left.severity] - ranks[right.severity],
  );
};
