import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { refOf } from '@vdo/kube/apply/object-ref';
import { inApplyOrder, type Phase, phaseOf, phases } from '@vdo/kube/apply/phases';
import type { AnyObject } from '@vdo/kube/types/object';

export interface InstallStep {
  readonly title: string;
  /** Commands to run, in order. */
  readonly commands: readonly string[];
  /** File name without folder; absent if the step has no manifest. */
  readonly file?: string;
  readonly objects: readonly AnyObject[];
  /** Files for a Secret, with placeholders for user name and password. */
  readonly contents?: readonly { readonly name: string; readonly text: string }[];
}

const titles: Readonly<Record<Phase, string>> = {
  namespaces: 'Create the namespaces',
  crds: 'Create the CRDs',
  accounts: 'Create the ServiceAccounts and their RBAC rules',
  configuration: 'Create the configuration',
  storage: 'Create the CSIDriver and the StorageClasses',
  services: 'Create the services',
  workloads: 'Start the drivers',
  rest: 'Create everything else',
  webhooks: 'Create the webhooks',
};

const waitFor = (objects: readonly AnyObject[]): readonly string[] =>
  objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'DaemonSet')
    .map(
      ({ kind, metadata }) => `kubectl -n ${metadata.namespace} rollout status ${kind.toLowerCase()}/${metadata.name}`,
    );

const dataOf = (secret: AnyObject): Readonly<Record<string, string>> =>
  (secret as { data?: Readonly<Record<string, string>> }).data ?? {};

/** Whole configuration files, in contrast to a user name or a password. */
const isFile = (key: string): boolean => /\.(conf|pem)$/.test(key);

const contentsOf = (secrets: readonly AnyObject[]): NonNullable<InstallStep['contents']> =>
  secrets.flatMap((secret) =>
    Object.entries(dataOf(secret))
      .filter(([key]) => isFile(key))
      .map(([name, text]) => ({ name, text: Buffer.from(text, 'base64').toString('utf8') })),
  );

const secretCommand = (secret: AnyObject): string => {
  const parts = Object.keys(dataOf(secret)).map(
    (key) =>
      `--from-file=${key}=${isFile(key) ? key : `FILE_WITH_${key.endsWith('password') ? 'PASSWORD' : 'USER_NAME'}`}`,
  );
  return `kubectl -n ${secret.metadata.namespace} create secret generic ${secret.metadata.name} ${parts.join(' ')}`.trim();
};

/** Replaces a password that is not shown. */
export const placeholder = 'PASSWORD';

/** The steps of a manual install, in the order in which the operator does them. */
export const installSteps = (
  objects: readonly AnyObject[],
  options: { readonly spec: VSphereDriversSpec; readonly withCredentials: boolean },
): readonly InstallStep[] => {
  const shown = options.withCredentials ? objects : objects.filter(({ kind }) => kind !== 'Secret');
  const ordered = inApplyOrder(shown, refOf);
  const hidden = options.withCredentials ? [] : objects.filter(({ kind }) => kind === 'Secret');
  const parts = phases
    .map((phase) => ({ phase, members: ordered.filter((object) => phaseOf(refOf(object)) === phase) }))
    .filter(({ members }) => members.length > 0);
  const manifestSteps = parts.map(({ phase, members }, index): InstallStep => {
    // Files have the numbers of their steps; the second step is about Secrets.
    const number = index + (index > 0 && hidden.length > 0 ? 2 : 1);
    const file = `${String(number).padStart(2, '0')}-${phase}.yaml`;
    const commands = [`kubectl apply --server-side -f ${file}`, ...waitFor(members)];
    return { title: titles[phase], commands, file, objects: members };
  });
  const contents = contentsOf(hidden);
  const completed = contents.filter(({ text }) => text.includes(placeholder)).map(({ name }) => name);
  const secretSteps: readonly InstallStep[] =
    hidden.length === 0
      ? []
      : [
          {
            title:
              completed.length === 0
                ? 'Create the Secrets with the vCenter accounts, from files that contain only the value, without a line break at the end'
                : `In ${completed.join(', ')}, replace USER@DOMAIN and ${placeholder} with the vCenter accounts, then create the Secrets; other files contain only the value, without a line break at the end`,
            commands: hidden.map(secretCommand),
            objects: [],
            ...(contents.length > 0 ? { contents } : {}),
          },
        ];
  // A Secret needs its namespace; the pods need the Secret.
  const [namespaces, ...others] = manifestSteps;
  return [...(namespaces ? [namespaces] : []), ...secretSteps, ...others];
};

/** The steps as a README for the files. */
export const stepsText = (
  steps: readonly InstallStep[],
  { headline, matrix, files }: { readonly headline: string; readonly matrix: string; readonly files: string },
): string =>
  [
    `# Manual install: ${headline}`,
    '',
    'Created by vdoctl render from the VSphereDrivers resource. The operator would apply the same objects.',
    matrix,
    files,
    '',
    ...steps.flatMap(({ title, commands }, index) => [
      `${index + 1}. ${title}:`,
      '',
      '   ```sh',
      ...commands.map((command) => `   ${command}`),
      '   ```',
      '',
    ]),
    'Then check the installation: vdoctl doctor --file DRIVERS.yaml',
    '',
  ].join('\n');
