import { readFile } from 'node:fs/promises';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { yamlValues } from '@vdo/base/yaml';
import { parseVSphereDrivers, type UncheckedDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';

const missing = (what: string, remedy: string): VdoError =>
  new VdoError({ code: 'ConfigMissing', message: what, remedy });

/** The VSphereDrivers resource of a file that may hold others too, as it is written there. */
export const readWrittenResource = async (file: string): Promise<UncheckedDrivers> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw missing(
      `cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`,
      'Name a readable file that holds a VSphereDrivers resource.',
    );
  });
  const values = ((): readonly unknown[] => {
    try {
      return yamlValues(text);
    } catch (cause) {
      throw new VdoError({
        code: 'ConfigInvalid',
        message: `${file} is no YAML: ${cause instanceof Error ? cause.message : String(cause)}`,
        remedy: 'Correct the file at the place that is named.',
      });
    }
  })();
  const found = values
    .map((value) => value as UncheckedDrivers | null)
    .find((object) => object?.kind === vsphereDrivers.kind);
  if (!found) throw missing(`${file} holds no VSphereDrivers resource`, 'vdoctl configure writes one.');
  return found;
};

/** The same with its defaults. Throws ConfigInvalid with every mistake. */
export const readResourceFile = async (file: string): Promise<VSphereDrivers> =>
  parseVSphereDrivers(await readWrittenResource(file));

/** The resource of the cluster, with its defaults. Throws ConfigMissing if there is none. */
export const readResource = async (kube: KubeClient, signal: AbortSignal): Promise<VSphereDrivers> => {
  const found = await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal }).catch((error: unknown) => {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  });
  if (found) return parseVSphereDrivers(found);
  throw missing(
    `there is no VSphereDrivers resource named ${vsphereDriversName} in the cluster`,
    'Write one with vdoctl configure, or name a file that holds one with --file.',
  );
};
