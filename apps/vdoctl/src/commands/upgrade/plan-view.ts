import { wrap } from '../../cli/wrap.ts';
import { alignRows, renderTable } from '../../output/table.ts';
import type { DriverUpgrade } from './plan.ts';

const words: Readonly<Record<DriverUpgrade['verdict'], string>> = {
  upgrade: 'will be upgraded',
  current: 'is up to date',
  install: 'will be installed',
  'none-fits': 'no compatible release',
};

/** The plan as text: first the result, then the reasons, then why newer releases were not selected. */
export const planLines = (
  plan: readonly DriverUpgrade[],
  options: { readonly wide: boolean; readonly width: number },
): readonly string[] => [
  ...renderTable(
    [
      { title: 'driver', value: ({ driver }: DriverUpgrade) => driver },
      { title: 'running', value: ({ running }: DriverUpgrade) => running ?? '' },
      { title: 'newest', value: ({ newest }: DriverUpgrade) => newest ?? '' },
      { title: 'result', value: ({ verdict }: DriverUpgrade) => words[verdict] },
    ],
    plan,
  ),
  '',
  ...plan.flatMap(({ driver, newest, explanation }) =>
    wrap(`${driver}${newest === null ? '' : ` ${newest}`}: ${explanation}`, { width: options.width }),
  ),
  ...(options.wide
    ? plan.flatMap(({ driver, rejected }) => [
        '',
        `${driver}, not selected:${rejected.length === 0 ? ' none' : ''}`,
        ...alignRows(rejected.map(({ version, reasons }) => [`  ${version}`, reasons.join('; ')])),
      ])
    : []),
];
