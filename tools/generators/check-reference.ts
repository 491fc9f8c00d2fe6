import { allChecks } from '@vdo/checks/all-checks';

const groups: Readonly<Record<string, string>> = {
  VC: 'The way to the vCenters',
  CR: 'Credentials',
  PR: 'Privileges',
  ND: 'Nodes',
  TP: 'Topology',
  ST: 'Storage',
  CS: 'The storage driver in the cluster',
  VR: 'Versions and releases',
  CL: 'The cluster',
};

const meaning: Readonly<Record<string, string>> = {
  BlockUpgrade: 'no upgrade starts',
  BlockInstall: 'nothing is installed, and no upgrade starts',
  BlockUpgradeOrDegrade: 'nothing is installed and no upgrade starts; drivers that run are shown as degraded',
  Degrade: 'nothing is installed, no upgrade starts, and the resource is shown as degraded',
};

const section = (group: string): string => {
  const rows = allChecks
    .filter(({ id }) => id.startsWith(`${group}/`))
    .map(({ id, title, action }) => `| \`${id}\` | ${title} | ${meaning[action]} |`);
  const heading = groups[group];
  if (heading === undefined) throw new Error(`group ${group} of checks has no heading`);
  return [`## ${heading}`, ['| Check | What must hold | If it fails |', '|---|---|---|', ...rows].join('\n')].join(
    '\n\n',
  );
};

/** docs/reference/checks.md, from the checks themselves. */
export const renderCheckReference = (): ReadonlyMap<string, string> => {
  const found = [...new Set(allChecks.map(({ id }) => id.split('/')[0] ?? ''))];
  const text = [
    '<!-- Generated from packages/checks. Do not edit: npm run generate. -->',
    '# Health checks',
    'Each check looks at one kind of object and gives one of these results: `Pass`, `Warn` (works, but will hurt), `Fail`, `Unknown` (the facts could not be read; another check says why) or `Skipped` (does not apply). Results that are not fine come with a remedy. Drivers that run keep being looked after whatever fails.',
    'The operator of this version does not run them yet: the last column says what a failure is going to mean.',
    ...found.map(section),
  ];
  return new Map([['docs/reference/checks.md', `${text.join('\n\n')}\n`]]);
};
