import { allChecks } from '@vdo/checks/all-checks';
import { type Check, type CheckGroup, cadence, checkGroups, docsAnchor, groupOf } from '@vdo/checks/check';
import { requiredPrivileges } from '@vdo/checks/privileges/required-privileges';
import { csiSpec } from '@vdo/config/api/csi-spec';

/** What the watch of vCenter makes a group run for, within seconds (apps/operator/src/checks/check-schedule.ts). */
const alsoWhen: Readonly<Partial<Record<CheckGroup, string>>> = {
  vcenter: ', and within 5 seconds when the connection to vCenter breaks',
  credentials: ', and within 5 seconds when vCenter ends the session or the Secret changes',
  node: ', and within 5 seconds when a VM is deleted, is powered off, loses VMware Tools or `disk.EnableUUID`',
  storage: ', and within 5 seconds when a host or a datastore is lost. Free space sends no event: it shows in its turn',
};

const groups: Readonly<Record<CheckGroup, string>> = {
  vcenter: 'The way to the vCenters',
  credentials: 'Credentials',
  privileges: 'Privileges of the account',
  node: 'Nodes',
  topology: 'Topology',
  storage: 'Storage',
  csi: 'The storage driver and its workloads',
  versions: 'Versions',
  cluster: 'The cluster around the drivers',
};

const consequence: Readonly<Record<Check['action'], string>> = {
  None: 'nothing but the warning',
  BlockUpgrade: 'no upgrade starts',
  BlockInstall: 'nothing is installed, and no upgrade starts',
  BlockUpgradeOrDegrade: 'nothing is installed and no upgrade starts; drivers that run are shown as degraded',
  Degrade: 'nothing is installed, no upgrade starts, and the resource is shown as degraded',
};

const anchorOf = (id: string): string => docsAnchor(id).split('#')[1] ?? '';

const describe = ({ id, title, meaning, remedy, action }: Check): string =>
  [
    `<a id="${anchorOf(id)}"></a>`,
    `### ${id}`,
    title,
    `**If not**: ${meaning}`,
    `**Remedy**: ${remedy}`,
    `**What follows**: ${consequence[action]}.`,
  ].join('\n\n');

const section = (group: CheckGroup): string => {
  const { everyMs, onWatch } = cadence[group];
  const often = `Looked at every ${everyMs / 60_000} minutes${onWatch ? ', and when something changes in the cluster' : ''}${alsoWhen[group] ?? ''}.`;
  const own = allChecks.filter((check) => groupOf(check) === group);
  return [`## ${groups[group]}`, often, ...own.map(describe)].join('\n\n');
};

const index = (): string =>
  [
    '| Check | What must hold |',
    '|---|---|',
    ...allChecks.map(({ id, title }) => `| [\`${id}\`](#${anchorOf(id)}) | ${title} |`),
  ].join('\n');

const privileges = (): string => {
  const roles = requiredPrivileges({ csi: csiSpec.parse({ fileVolumes: {} }) });
  return [
    '| Role | Privileges | On | Propagate | Check |',
    '|---|---|---|---|---|',
    ...roles.map(
      ({ name, privileges: list, on, propagate, check }) =>
        `| ${name} | ${list.map((one) => `\`${one}\``).join(' ')} | ${on} | ${propagate ? 'yes' : 'no'} | [\`${check}\`](#${anchorOf(check)}) |`,
    ),
  ].join('\n');
};

/** docs/reference/checks.md, from the checks themselves. */
export const renderCheckReference = (): ReadonlyMap<string, string> => {
  const text = [
    '<!-- Generated from packages/checks. Do not edit: npm run generate. -->',
    '# Health checks',
    'Each check looks at one kind of object and gives one of these results: `Pass`, `Warn` (works, but will hurt), `Fail`, `Unknown` (the facts could not be read; another check says why) or `Skipped` (does not apply). Results that are not fine come with a remedy that names the object, the value and the command. Drivers that run keep being looked after whatever fails. A vCenter that cannot be asked leaves only its own checks unknown.',
    'Before the first installation the worst failure decides whether it starts. `status.checks` of the VSphereDrivers resource counts the results and lists the worst 50; the metric `vdo_check_status{check,object_kind,status}` counts objects.',
    index(),
    ...checkGroups.map(section),
    '## Privileges that are checked',
    'The last role only with `spec.csi.fileVolumes`; without `spec.csi` only the first.',
    privileges(),
  ];
  return new Map([['docs/reference/checks.md', `${text.join('\n\n')}\n`]]);
};
