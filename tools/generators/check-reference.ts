import { allChecks } from '@vdo/checks/all-checks';
import { type Check, type CheckGroup, cadence, checkGroups, docsAnchor, groupOf } from '@vdo/checks/check';
import { requiredPrivileges } from '@vdo/checks/privileges/required-privileges';
import { csiSpec } from '@vdo/config/api/csi-spec';

/** What the watch of vCenter makes a group run for, within seconds (apps/operator/src/checks/check-schedule.ts). */
const alsoWhen: Readonly<Partial<Record<CheckGroup, string>>> = {
  vcenter: ', and within 5 seconds when the connection to vCenter breaks',
  credentials: ', and within 5 seconds when vCenter ends the session or the Secret changes',
  node: ', and within 5 seconds when a VM is deleted, is powered off, loses VMware Tools or `disk.EnableUUID`',
  storage:
    ', and within 5 seconds when a host or a datastore is lost. A change of the free space is seen only at the next regular run',
};

const groups: Readonly<Record<CheckGroup, string>> = {
  vcenter: 'Connection to vCenter',
  credentials: 'Credentials',
  privileges: 'Privileges of the account',
  node: 'Nodes',
  topology: 'Topology',
  storage: 'Storage',
  csi: 'Storage driver and pods of the drivers',
  versions: 'Versions',
  cluster: 'The cluster',
};

const consequence: Readonly<Record<Check['action'], string>> = {
  None: 'only a warning is shown',
  BlockUpgrade: 'no upgrade starts',
  BlockInstall: 'nothing is installed, and no upgrade starts',
  BlockUpgradeOrDegrade: 'nothing is installed, no upgrade starts, and running drivers are reported as degraded',
  Degrade: 'nothing is installed, no upgrade starts, and the resource is reported as degraded',
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
  const often = `These checks run every ${everyMs / 60_000} minutes${onWatch ? ', and when something changes in the cluster' : ''}${alsoWhen[group] ?? ''}.`;
  const own = allChecks.filter((check) => groupOf(check) === group);
  return [`## ${groups[group]}`, often, ...own.map(describe)].join('\n\n');
};

const index = (): string =>
  [
    '| Check | Passes if |',
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
    'Each check examines one kind of object and gives one of these results: `Pass`, `Warn` (works now, but will cause problems), `Fail`, `Unknown` (the check could not read what it needs; another check shows why) or `Skipped` (does not apply). Each problem comes with a remedy that names the object, the value and the command. A failing check never stops running drivers: the operator continues to manage them. If a vCenter does not answer, only the checks of that vCenter are `Unknown`.',
    'A failing check can prevent an installation or an upgrade: see **What follows** of each check. `status.checks` of the VSphereDrivers resource counts the results and lists the worst 50; the metric `vdo_check_status{check,object_kind,status}` counts objects.',
    index(),
    ...checkGroups.map(section),
    '## Privileges that are checked',
    'The last role is needed only with `spec.csi.fileVolumes`. Without `spec.csi`, only the first role is needed.',
    privileges(),
  ];
  return new Map([['docs/reference/checks.md', `${text.join('\n\n')}\n`]]);
};
