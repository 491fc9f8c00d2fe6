import { type CheckOutcome, remedyLine } from '@vdo/checks/check';
import type { Problem } from '@vdo/config/problems';
import { wrap } from '../../cli/wrap.ts';
import { renderTable } from '../../output/table.ts';
import type { InTreeVolume } from './in-tree-facts.ts';
import type { MigrationPlan, MigrationStep } from './migration-step.ts';

export interface MigrationReport extends MigrationPlan {
  readonly volumes: readonly InTreeVolume[];
  readonly notes: readonly string[];
  readonly warnings: readonly Problem[];
  readonly failed: readonly CheckOutcome[];
}

const commandLines = ({ what, where, commands }: MigrationStep): readonly string[] =>
  commands.length === 0 ? [] : ['', `${where}: ${what}`, ...commands.map((command) => `  ${command}`)];

const list = (title: string, items: readonly string[], width: number): readonly string[] =>
  items.length === 0 ? [] : ['', title, ...items.flatMap((item) => wrap(`- ${item}`, { width, indent: '  ' }))];

const volumeLines = (volumes: readonly InTreeVolume[], wide: boolean): readonly string[] => {
  if (!wide || volumes.length === 0) return [];
  const columns = [
    { title: 'persistentvolume', value: ({ name }: InTreeVolume) => name },
    { title: 'claim', value: ({ claim }: InTreeVolume) => claim ?? '' },
    { title: 'served by', value: ({ migrated }: InTreeVolume) => (migrated ? 'storage driver' : 'in-tree provider') },
    { title: 'path', value: ({ path }: InTreeVolume) => path },
  ];
  return ['', ...renderTable(columns, volumes)];
};

/** The plan for people: how far each step is, what stands in the way, then the commands of what comes next. */
export const migrationLines = (
  report: MigrationReport,
  { wide, width }: { readonly wide: boolean; readonly width: number },
): readonly string[] => {
  const { steps, blockers, notes, warnings, failed, volumes } = report;
  const open = steps.filter(({ state }) => state === 'due' || state === 'unknown');
  const byHand = open.filter(({ who }) => who === 'you');
  return [
    ...renderTable(
      [
        { title: 'state', value: ({ state }: MigrationStep) => state },
        { title: 'by', value: ({ who }: MigrationStep) => who },
        { title: 'where', value: ({ where }: MigrationStep) => where },
        { title: 'step', value: ({ what }: MigrationStep) => what },
      ],
      steps,
    ),
    ...volumeLines(volumes, wide),
    ...list(
      'Would break:',
      [
        ...blockers,
        ...failed.map(
          (outcome) =>
            `${outcome.id} ${outcome.object.kind} ${outcome.object.name}: ${outcome.message}. ${remedyLine(outcome)}`,
        ),
      ],
      width,
    ),
    ...list('To know:', [...notes, ...warnings.map(({ field, message }) => `${field}: ${message}`)], width),
    ...(wide ? steps.flatMap(commandLines) : byHand.slice(0, 3).flatMap(commandLines)),
    ...(!wide && byHand.length > 3 ? ['', `… and ${byHand.length - 3} more; -o wide lists them.`] : []),
  ];
};
