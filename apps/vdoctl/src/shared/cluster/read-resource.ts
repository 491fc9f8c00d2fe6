import { readFile } from 'node:fs/promises';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { yamlValues } from '@vdo/base/yaml';
import { parseVSphereDrivers, type UncheckedDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';

const missing = (what: string, remedy: string): VdoError =>
  new VdoError({ code: 'ConfigMissing', message: what, remedy });

/** Reads the VSphereDrivers resource from a file that may contain other objects too. */
export const readWrittenResource = async (file: string): Promise<UncheckedDrivers> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw missing(
      `cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`,
      'Pass a readable file with a VSphereDrivers resource.',
    );
  });
  const values = ((): readonly unknown[] => {
    try {
      return yamlValues(text);
    } catch (cause) {
      throw new VdoError({
        code: 'ConfigInvalid',
        message: `${file} is not valid YAML: ${cause instanceof Error ? cause.message : String(cause)}`,
        remedy: 'Correct the file at this line.',
      });
    }
  })();
  const found = values
    .map((value) => value as UncheckedDrivers | null)
    .find((object) => object?.kind === vsphereDrivers.kind);
  if (!found)
    throw missing(`${file} does not contain a VSphereDrivers resource`, 'To create one, run vdoctl configure.');
  return found;
};

/** The same, with defaults. Throws ConfigInvalid with all errors in the file. */
export const readResourceFile = async (file: string): Promise<VSphereDrivers> =>
  parseVSphereDrivers(await readWrittenResource(file));

/** The resource of the cluster, with defaults. Throws ConfigMissing if it does not exist. */
export const readResource = async (kube: KubeClient, signal: AbortSignal): Promise<VSphereDrivers> => {
  const found = await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal }).catch((error: unknown) => {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  });
  if (found) return parseVSphereDrivers(found);
  throw missing(
    `the cluster has no VSphereDrivers resource named ${vsphereDriversName}`,
    'Create one with vdoctl configure, or pass a file with one with --file.',
  );
};
