import { vcenterRelease } from '@vdo/config/product-version';
import { mutations } from '../../test/vsphere-schema/mutations.ts';
import results from '../profiles/results.json' with { type: 'json' };
import { releases, suites } from '../profiles/suites.mjs';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const byRelease = (suite: string): Readonly<Record<string, Counts | undefined>> =>
  (results as Readonly<Record<string, Readonly<Record<string, Counts>>>>)[suite] ?? {};

const cell = (counts: Counts | undefined): string => {
  if (!counts) return '–';
  const { passed, failed, skipped } = counts;
  if (failed > 0) return `**${failed} failed**`;
  return skipped === 0 ? `${passed}` : `${passed} (${skipped})`;
};

const short = (version: string): string => vcenterRelease(version).replace(' Update ', ' U');

const suiteTable = (): string => {
  const columns = [...releases, 'vcsim'];
  return [
    `| | ${columns.map((one) => (one === 'vcsim' ? one : short(one))).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...suites.map(({ id, title }) => `| ${title} | ${columns.map((one) => cell(byRelease(id)[one])).join(' | ')} |`),
  ].join('\n');
};

const plain = (text: string): string => text.replaceAll('|', '\\|');
const noticedOn = (name: string): string => {
  const release = releases.find((one) => name.startsWith(`${one} `));
  return release === undefined ? `“${name}”` : short(release);
};

const factTable = (): string =>
  [
    '| What a live vCenter does | The wrong client | Noticed on |',
    '|---|---|---|',
    ...mutations.map(({ fact, fault, name }) => `| ${plain(fact)} | ${plain(fault)} | ${noticedOn(name)} |`),
  ].join('\n');

/** docs/reference/vcenter-profiles.md, from what the last run of `npm run profiles` left. */
export const renderVCenterProfiles = (): ReadonlyMap<string, string> => {
  const text = [
    '<!-- Generated from tools/profiles/results.json and test/vsphere-schema/mutations.ts. Do not edit: npm run profiles, npm run generate. -->',
    '# Which suites were run on which vCenter',
    'No live vCenter was at hand: each column is the simulator as strict as a vCenter of that release ([how it was made](../guides/qualify.md#what-is-assumed)), the last one is govmomi’s vcsim. A number is how many tests passed; in brackets, how many do not apply because the release [lacks the feature](vcenter-features.md). A dash: not run there.',
    suiteTable(),
    '`npm run profiles` runs them again and writes this table.',
    '## Clients that are wrong',
    'Each line was planted in the client of this repository, and a test failed (`npm run test:long -- vsphere-schema`). Where no release is named, the test in quotation marks noticed it, on the release that the tests use by default (8.0 U3).',
    factTable(),
  ];
  return new Map([['docs/reference/vcenter-profiles.md', `${text.join('\n\n')}\n`]]);
};
