import { vcenterRelease } from '@vdo/config/product-version';
import { offersFeature, type VCenterFeatureId, vcenterFeatures } from '@vdo/config/vcenter-features';

const releases = ['6.7.3', '7.0.0', '7.0.1', '7.0.2', '7.0.3', '8.0.0', '8.0.1', '8.0.2', '8.0.3', '9.0.0'];

const ids = Object.keys(vcenterFeatures) as readonly VCenterFeatureId[];
const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const short = (version: string): string => vcenterRelease(version).replace(' Update ', ' U');

const table = (): string =>
  [
    `| | Driver | ${releases.map(short).join(' | ')} |`,
    `|---|---|${releases.map(() => '---|').join('')}`,
    ...ids.map((id) => {
      const { name, driver } = vcenterFeatures[id];
      return `| ${upper(name)} | ${driver} | ${releases.map((version) => (offersFeature(version, id) ? 'yes' : 'no')).join(' | ')} |`;
    }),
  ].join('\n');

const reasons = (): string =>
  ids
    .map((id) => {
      const { name, since, because } = vcenterFeatures[id];
      return `- **${upper(name)}**: since ${vcenterRelease(since)}: ${because}.`;
    })
    .join('\n');

/** docs/reference/vcenter-features.md, from the table that decides. */
export const renderVCenterFeatures = (): ReadonlyMap<string, string> => {
  const text = [
    '<!-- Generated from packages/config/src/vcenter-features.ts. Do not edit: npm run generate. -->',
    '# What each version of vCenter has',
    'The drivers ask a vCenter for nothing that its version lacks. Such a volume, snapshot or change is refused with the version that is needed and the one there is; nothing was begun then. `vcenter/features`, admission, `vdoctl configure` and `vdoctl versions` say it before. With several vCenters it is the one of the volume that counts.',
    table(),
    'Hosts must be of the same version: vCenter does not do what its hosts cannot.',
    '## Why',
    reasons(),
    'Plain vcsim of govmomi says that it is 6.5. It is met with a warning and nothing is held back from it. Between 6.5 and 6.7 Update 3 nothing is promised.',
  ];
  return new Map([['docs/reference/vcenter-features.md', `${text.join('\n\n')}\n`]]);
};
