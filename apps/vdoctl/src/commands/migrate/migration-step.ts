import { isReady } from '@vdo/config/api/health';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';

export interface MigrationStep {
  readonly what: string;
  readonly where: string;
  readonly who: 'vdoctl' | 'you';
  /** `waits`: for a step above. `unknown`: the cluster does not tell. */
  readonly state: 'done' | 'due' | 'waits' | 'unknown';
  /** For who does it by hand. */
  readonly commands: readonly string[];
}

export interface MigrationPlan {
  readonly steps: readonly MigrationStep[];
  /** What would break, or stay behind, and what to do about it. */
  readonly blockers: readonly string[];
}

/** A step before it is known whether it is its turn; `isDone` is undefined where the cluster does not tell. */
export type StepDraft = Omit<MigrationStep, 'state'> & { readonly isDone: boolean | undefined };

/** A vCenter: whether the Secret has its account, and whether it is known from what is migrated. */
export interface MigratedAccount {
  readonly server: string;
  readonly isStored: boolean;
  readonly isKnown: boolean;
}

export const operatorStep = (isInstalled: boolean): StepDraft => ({
  what: 'install the operator',
  where: 'cluster',
  who: 'you',
  isDone: isInstalled,
  commands: ['vdoctl install'],
});

export const secretSteps = (input: {
  readonly accounts: readonly MigratedAccount[];
  readonly namespace: string;
  readonly secretName: string;
  /** Where accounts come from, such as `the file`. */
  readonly source: string;
}): readonly StepDraft[] => {
  const { accounts, namespace, secretName, source } = input;
  const unknown = accounts.filter(({ isKnown, isStored }) => !isKnown && !isStored).map(({ server }) => server);
  const keys = unknown.map(
    (server) => `--from-literal=${server}.username=USER@DOMAIN --from-file=${server}.password=FILE`,
  );
  return [
    ...accounts
      .filter(({ server }) => !unknown.includes(server))
      .map(
        ({ server, isStored }): StepDraft => ({
          what: `put the account of vCenter ${server} into Secret ${secretName}`,
          where: namespace,
          who: 'vdoctl',
          isDone: isStored,
          commands: [],
        }),
      ),
    ...(unknown.length === 0
      ? []
      : [
          {
            what: `put the account of vCenter ${unknown.join(', ')} into Secret ${secretName}; ${source} does not have it`,
            where: namespace,
            who: 'you' as const,
            isDone: false,
            commands: [`kubectl -n ${namespace} create secret generic ${secretName} ${keys.join(' ')}`],
          },
        ]),
  ];
};

export const resourceStep = (resource: VSphereDrivers | undefined, source: string): StepDraft => ({
  what: `create VSphereDrivers cluster from ${source}`,
  where: 'cluster',
  who: 'vdoctl',
  isDone: resource !== undefined,
  commands: [],
});

export const driversStep = (resource: VSphereDrivers | undefined, what: string): StepDraft => ({
  what,
  where: 'cluster',
  who: 'you',
  isDone: isReady(resource),
  commands: ['vdoctl status --watch'],
});

/** Nothing below a step that is not done is due; what the cluster does not tell holds nobody up. */
export const inOrder = (phases: readonly (readonly StepDraft[])[]): readonly MigrationStep[] => {
  let isOpen = true;
  return phases.flatMap((phase) => {
    const mayBegin = isOpen;
    isOpen &&= phase.every(({ isDone }) => isDone !== false);
    return phase.map(({ isDone, ...step }): MigrationStep => {
      if (isDone) return { ...step, state: 'done' };
      return { ...step, state: mayBegin ? (isDone === undefined ? 'unknown' : 'due') : 'waits' };
    });
  });
};
