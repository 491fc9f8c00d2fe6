import { type CheckOutcome, remedyLine } from '@vdo/checks/check';
import type { Problem } from '@vdo/config/problems';
import { wrap } from '../../cli/wrap.ts';
import { renderTable } from '../../output/table.ts';
import type { ListedVolume } from './engine/migration.ts';
import type { MigrationRecord } from './engine/record.ts';
import type { StepView } from './engine/step.ts';

export interface MigrationReport {
  readonly steps: readonly StepView[];
  readonly blockers: readonly string[];
  readonly failed: readonly CheckOutcome[];
  readonly notes: readonly string[];
  readonly warnings: readonly Problem[];
  readonly volumes: readonly ListedVolume[];
  /** Set after the migration has started. */
  readonly record?: {
    readonly begun: string;
    /** Number of volumes before. */
    readonly before: number;
    /** Differences from before. */
    readonly differences: readonly string[];
  };
}

const commandLines = ({ id, what, where, state, commands }: StepView): readonly string[] =>
  commands.length === 0
    ? []
    : [
        '',
        `${where}: ${what}`,
        ...commands.map((command) => `  ${command}`),
        ...(state === 'unknown' ? [`  # when this is done, confirm it: add --confirm ${id}`] : []),
      ];

const list = (title: string, items: readonly string[], width: number): readonly string[] =>
  items.length === 0 ? [] : ['', title, ...items.flatMap((item) => wrap(`- ${item}`, { width, indent: '  ' }))];

const volumeLines = (volumes: readonly ListedVolume[], wide: boolean): readonly string[] => {
  if (!wide || volumes.length === 0) return [];
  const columns = [
    { title: 'persistentvolume', value: ({ name }: ListedVolume) => name },
    { title: 'claim', value: ({ claim }: ListedVolume) => claim ?? '' },
    { title: 'served by', value: ({ migrated }: ListedVolume) => (migrated ? 'storage driver' : 'in-tree provider') },
    { title: 'path', value: ({ path }: ListedVolume) => path },
  ];
  return ['', ...renderTable(columns, volumes)];
};

const stepTable = (steps: readonly StepView[], wide: boolean): readonly string[] =>
  renderTable(
    [
      { title: 'state', value: ({ state }: StepView) => state },
      { title: 'by', value: ({ who }: StepView) => who },
      { title: 'where', value: ({ where }: StepView) => where },
      { title: 'step', value: ({ what }: StepView) => what },
      { title: 'name', value: ({ id }: StepView) => id, wide: true },
    ],
    steps,
    { wide },
  );

const handLines = (steps: readonly StepView[], wide: boolean): readonly string[] => {
  const byHand = steps.filter(({ who, state }) => who === 'you' && (state === 'due' || state === 'unknown'));
  if (wide) return steps.filter(({ who }) => who === 'you').flatMap(commandLines);
  return [
    ...byHand.slice(0, 3).flatMap(commandLines),
    ...(byHand.length > 3 ? ['', `… and ${byHand.length - 3} more; -o wide lists them.`] : []),
  ];
};

const comparison = (before: number, differences: readonly string[], width: number): readonly string[] =>
  differences.length === 0
    ? ['', `Volumes, StorageClasses and nodes are unchanged (${before} volumes).`]
    : list('Different from before:', differences.slice(0, 20), width);

/** The plan as text: the state of each step, blockers, then the commands of the next manual steps. */
export const migrationLines = (
  report: MigrationReport,
  {
    wide,
    width,
    pointOfNoReturn,
  }: { readonly wide: boolean; readonly width: number; readonly pointOfNoReturn: string },
): readonly string[] => {
  const { steps, blockers, notes, warnings, failed, volumes, record } = report;
  return [
    ...stepTable(steps, wide),
    ...wrap(`At the end, --finish passes the point of no return: ${pointOfNoReturn}.`, { width, indent: '' }),
    ...volumeLines(volumes, wide),
    ...(record ? comparison(record.before, record.differences, width) : []),
    ...list(
      'Blocked by:',
      [
        ...blockers,
        ...failed.map(
          (outcome) =>
            `${outcome.id} ${outcome.object.kind} ${outcome.object.name}: ${outcome.message}. ${remedyLine(outcome)}`,
        ),
      ],
      width,
    ),
    ...list('Notes:', [...notes, ...warnings.map(({ field, message }) => `${field}: ${message}`)], width),
    ...handLines(steps, wide),
  ];
};

/** The steps of undo, as text. */
export const undoLines = (input: {
  readonly record: MigrationRecord;
  readonly steps: readonly StepView[];
  readonly differences: readonly string[];
  readonly wide: boolean;
}): readonly string[] => {
  const { record, steps, differences, wide } = input;
  return [
    `Undo the migration from ${record.kind} that was started at ${record.begun}:`,
    '',
    ...stepTable(steps, wide),
    ...comparison(record.before.snapshot.volumeCount, differences, 100),
    ...handLines(steps, wide),
  ];
};
