import { siftGoFlags } from '@vdo/cpi/cli/go-flags';
import { cpiFlags, csiFeatureStates, csiFeatures, type Row, vdoFeatures } from '../comparison/rows.ts';

/** What our program says to a flag of the Go program, in its own words. */
const flagCell = (name: string, value: string): string => {
  const { ignored, refused } = siftGoFlags([`--${name}=${value}`]);
  const [said] = [...ignored, ...refused];
  if (said === undefined) return 'taken';
  const reason = said.replace(/^--\S+ (has no effect: |is not supported\. )/, '');
  return refused.length > 0 ? `refused: ${reason}` : `accepted without effect: ${reason}`;
};

const anchor = (section: string): string =>
  section
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

const answerCell = ({ answer }: Row): string =>
  'absent' in answer
    ? `${answer.how}: [not here](not-here.md#${anchor(answer.absent)})`
    : `${answer.how} ([where](../../${answer.shown[0]}))`;

const table = (heading: string, rows: readonly (readonly [string, string])[]): string =>
  [
    `| ${heading} | Here |`,
    '|---|---|',
    ...rows.map(([name, cell]) => `| ${name} | ${cell.replaceAll('|', '\\|')} |`),
  ].join('\n');

const answers = (rows: readonly Row[]) => rows.map((row) => [`\`${row.name}\``, answerCell(row)] as const);

/** docs/explanation/comparison.md, from tools/comparison/rows.ts and from what the program says itself. */
export const renderComparison = (): ReadonlyMap<string, string> => {
  const flags = Object.entries(cpiFlags).map(([name, value]) => [`\`--${name}\``, flagCell(name, value)] as const);
  const text = [
    '<!-- Generated from tools/comparison/rows.ts. Do not edit: npm run generate. -->',
    '# Compared with the drivers that people use today',
    'What the Go drivers and the operator before this one offer, and what becomes of it here. Each row is a test (`test/comparison`). The page is a beginning: of the storage driver it has the feature states that are decided, not yet its flags and the keys of its configuration. What is left out on purpose, and why, is on [a page of its own](not-here.md).',
    '## Flags of cloud-provider-vsphere',
    'Taken flags mean the same here. Those that are accepted without effect give a warning in the log; those that are refused would change what the program does, and end it at the start.',
    table('Flag', flags),
    '## Feature states of vsphere-csi-driver',
    'Here there are no such switches: what a vCenter has is offered, and what it lacks is refused with the version that is needed.',
    table('Feature state', answers(csiFeatureStates)),
    '## Other features of the Go storage driver',
    table('Feature or setting', answers(csiFeatures)),
    '## Commands and features of upstream VDO',
    table('Command or feature', answers(vdoFeatures)),
  ];
  return new Map([['docs/explanation/comparison.md', `${text.join('\n\n')}\n`]]);
};
