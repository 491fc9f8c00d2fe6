import type { Release } from '@vdo/releases/matrix';
import { compareReleases } from '@vdo/releases/versions';
import type { CommandRun } from '../../cli/command-run.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { matrixLine } from '../../shared/releases/matrix-in-use.ts';
import type { MatrixShowFlags } from './commands.ts';
import { readMatrix } from './read-matrix.ts';

const range = ({ min, max }: { readonly min: string; readonly max: string }): string =>
  min === max ? min : `${min} to ${max}`;

const columns = [
  { title: 'driver', value: ({ driver }: Release) => driver.toUpperCase() },
  { title: 'distribution', value: ({ distribution }: Release) => distribution },
  { title: 'version', value: ({ version }: Release) => version },
  { title: 'kubernetes', value: ({ kubernetes }: Release) => range(kubernetes) },
  { title: 'vsphere', value: ({ vsphere }: Release) => range(vsphere) },
  { title: 'layout', value: ({ layout }: Release) => layout, wide: true },
  {
    title: 'note',
    value: ({ bad, unverified }: Release) => (bad ? `bad: ${bad}` : unverified ? `unverified: ${unverified}` : ''),
  },
];

const order = (left: Release, right: Release): number =>
  left.driver.localeCompare(right.driver) ||
  left.distribution.localeCompare(right.distribution) ||
  compareReleases(right.version, left.version);

/** vdoctl matrix show */
export const matrixShow: CommandRun<MatrixShowFlags> = async (context, flags) => {
  const chosen = await readMatrix(context, flags);
  const { matrix } = chosen;
  const releases = matrix.releases
    .filter(({ driver }) => flags.driver === undefined || driver === flags.driver)
    .filter(({ distribution }) => flags.distribution === undefined || distribution === flags.distribution)
    .toSorted(order);
  printResult(context, flags.output, {
    data: { ...matrix, source: chosen.source, usedBy: chosen.usedBy, releases },
    lines: (options) => [
      matrixLine(chosen),
      `Published ${matrix.published}.`,
      '',
      ...renderTable(columns, releases, options),
    ],
  });
};
