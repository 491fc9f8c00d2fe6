import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import type { ConfigMap } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { PodTemplate } from '@vdo/kube/types/workloads';
import { boundRoles } from '@vdo/releases/render/roles/bound-roles';
import { roleObject } from '@vdo/releases/render/roles/driver-role';
import { renderWorld } from '@vdo/releases/testing/rendered-worlds';

/** What the operator would install, with its workloads as command lines to be run here. */
export interface RenderedPrograms {
  /** All but the workloads, definitions first. */
  readonly objects: readonly AnyObject[];
  readonly configPath: string;
  /** The words after `node` of a workload, some of its flags set otherwise. */
  args(workload: string, flags: Readonly<Record<string, string>>): readonly string[];
}

export interface RenderedProgramsOptions {
  readonly folder: string;
  readonly spec: Partial<VSphereDriversSpecInput>;
  readonly account: { readonly username: string; readonly password: string };
  readonly kubernetesVersion: string;
}

const isWorkload = ({ kind }: AnyObject): boolean => ['Deployment', 'DaemonSet'].includes(kind);
const isDefinition = ({ kind }: AnyObject): boolean => kind === 'CustomResourceDefinition';

const setFlags = (args: readonly string[], flags: Readonly<Record<string, string>>): readonly string[] => {
  const kept = args.filter((arg) => !Object.keys(flags).some((name) => arg.startsWith(`--${name}=`)));
  return [...kept, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
};

/** Other tests may run the same programs: none of them has a port for itself. */
const onThisMachine = (argument: string): string =>
  argument
    .replace(/^(--(?:metrics|health)-port)=\d+$/, '$1=0')
    .replace(/^(--metrics-bind-address)=.*$/, '$1=127.0.0.1');

export const renderPrograms = async (options: RenderedProgramsOptions): Promise<RenderedPrograms> => {
  const { folder, spec, account, kubernetesVersion } = options;
  const accounts = (spec.vcenters ?? []).map(({ server }) => ({ server, ...account }));
  const objects = renderWorld('Native', spec, { accounts, kubernetesVersion });
  const config = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === names.configMap);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries((config as unknown as ConfigMap | undefined)?.data ?? {}))
    await writeFile(join(folder, name), text);
  return {
    objects: [
      ...objects.filter(isDefinition),
      // They come with the operator, which is not here.
      ...boundRoles(objects).map((role) => ({ ...roleObject(role) })),
      ...objects.filter((one) => !isDefinition(one) && !isWorkload(one)),
    ],
    configPath: join(folder, names.configKey),
    args: (workload, flags) => {
      const found = objects.find((object) => isWorkload(object) && object.metadata.name === workload);
      if (!found) throw new Error(`no workload ${workload} was rendered`);
      const { template } = found.spec as { readonly template: PodTemplate };
      const rendered = (template.spec.containers[0]?.args ?? []).map(onThisMachine);
      return setFlags(rendered, flags);
    },
  };
};
