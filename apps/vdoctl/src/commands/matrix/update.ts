import { VdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { type ConfigMap, configMaps } from '@vdo/kube/types/core';
import { acceptMatrix, parseMatrix } from '@vdo/releases/matrix';
import { keyIdOf } from '@vdo/releases/matrix-signature';
import { signatureSuffix } from '@vdo/releases/read-document';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { readResource } from '../../shared/cluster/read-resource.ts';
import { readKeys, readSigned, type SignedMatrix } from '../../shared/releases/read-signed.ts';
import type { MatrixUpdateFlags } from './commands.ts';
import { summaryLine, summaryOf } from './verify.ts';

const key = 'matrix.json';
const signatureKey = `${key}${signatureSuffix}`;
/** A ConfigMap can hold 1 MiB, including names. */
const maxBytes = 1_000_000;

const goesBack = ({ matrix, source }: SignedMatrix, inUse: number, where: string): VdoError =>
  new VdoError({
    code: 'MatrixInvalid',
    message: `compatibility matrix from ${source} has serial ${matrix.serial}, but serial ${inUse} is in use (${where}); the serial must not decrease`,
    remedy: 'Publish the matrix with a higher serial: node tools/matrix.mjs build --serial N',
  });

/** The serial must not be lower than that of the matrix in use, nor of the matrix in the ConfigMap. */
const mindSerial = (signed: SignedMatrix, resource: VSphereDrivers, existing: ConfigMap | undefined): void => {
  const inUse = resource.status?.versions?.matrix;
  if (inUse && signed.matrix.serial < inUse.serial) throw goesBack(signed, inUse.serial, inUse.source);
  const text = existing?.data?.[key];
  const name = `ConfigMap ${existing?.metadata.name}`;
  if (text !== undefined) acceptMatrix(parseMatrix(text, name), signed.matrix, signed.source);
};

const mindForeign = (existing: ConfigMap | undefined): void => {
  const otherKeys = Object.keys(existing?.data ?? {}).filter((name) => name !== key && name !== signatureKey);
  if (otherKeys.length === 0) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `ConfigMap ${existing?.metadata.name} contains other keys: ${otherKeys.join(', ')}`,
    remedy: 'Choose another ConfigMap with --configmap.',
  });
};

const mindSize = ({ text, signature, source }: SignedMatrix): void => {
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(signature);
  if (bytes <= maxBytes) return;
  throw new VdoError({
    code: 'MatrixInvalid',
    message: `compatibility matrix from ${source} has ${bytes} bytes; a ConfigMap can hold ${maxBytes}`,
    remedy: 'Publish it on a web server instead, and set spec.updates.matrix.url to its URL.',
  });
};

/** vdoctl matrix update SOURCE */
export const matrixUpdate: CommandRun<MatrixUpdateFlags> = (context, flags, [source = '']) =>
  withCluster(context, flags, async ({ kube, namespace, server }) => {
    const { signal, terminal } = context;
    const resource = await readResource(kube, signal);
    const { trustedKeys: known, matrix: pointer } = resource.spec.updates;
    const given = await readKeys(context, flags.trust ?? []);
    const newKeys = given.filter((pem) => !known.some((one) => one.trim() === pem.trim()));
    const signed = await readSigned(context, source, { trustedKeys: [...known, ...newKeys] });
    const name = flags.configmap;
    const existing = await kube.find(configMaps, { namespace, name }, { signal });
    mindForeign(existing);
    mindSize(signed);
    mindSerial(signed, resource, existing);
    const stored = existing?.data?.[key] === signed.text && existing.data[signatureKey] === signed.signature;
    const pointed = pointer?.configMap?.name === name && (pointer.configMap.key ?? key) === key;
    const changes = [
      ...(stored ? [] : [`${existing ? 'change' : 'create'} ConfigMap ${namespace}/${name}`]),
      ...(pointed ? [] : [`set spec.updates.matrix of VSphereDrivers ${vsphereDriversName} to ConfigMap ${name}`]),
      ...(newKeys.length === 0 ? [] : [`add ${newKeys.map(keyIdOf).join(', ')} to spec.updates.trustedKeys`]),
    ];
    printResult(context, flags.output, {
      data: { ...summaryOf(signed), configMap: { namespace, name, key }, changes },
      lines: () => [
        `${source}: ${summaryLine(signed)}.`,
        ...(changes.length === 0 ? ['Already up to date. No changes.'] : changes.map((one) => `  ${one}`)),
      ],
    });
    if (flags.dryRun || changes.length === 0) return exitCodes.done;
    if (!(await confirm(context, flags, `Use matrix ${signed.matrix.serial} on ${server}?`))) {
      terminal.err('Nothing was changed.\n');
      return exitCodes.failed;
    }
    const data = { [key]: signed.text, [signatureKey]: signed.signature };
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
    await kube.apply(configMaps, configMap, { fieldManager: 'vdoctl', force: true, signal });
    // Create the ConfigMap before the resource refers to it.
    const updates = {
      matrix: { url: null, file: null, configMap: { name, key } },
      ...(newKeys.length === 0 ? {} : { trustedKeys: [...known, ...newKeys] }),
    };
    const body = { spec: { updates } };
    await kube.patch(vsphereDrivers, { name: vsphereDriversName }, { type: 'merge', body }, { signal });
    terminal.err('Done. The operator reads it now. Run vdoctl versions to see the serial in use.\n');
    return exitCodes.done;
  });
