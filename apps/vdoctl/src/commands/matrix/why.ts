import { VdoError } from '@vdo/base/vdo-error';
import type { DriverKind } from '@vdo/releases/matrix';
import { pickRelease } from '@vdo/releases/pick-release';
import { knownLayouts } from '@vdo/releases/render/layouts';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { printResult } from '../../output/print-result.ts';
import { alignRows } from '../../output/table.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { matrixData, matrixLine } from '../../shared/releases/matrix-in-use.ts';
import { vcenterVersionsOf } from '../../shared/releases/vcenter-versions.ts';
import { readDrivers } from '../../shared/status/read-health.ts';
import type { MatrixWhyFlags } from './commands.ts';
import { readMatrix } from './read-matrix.ts';

const missing = (): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: 'the version of vCenter is not known: the cluster has no VSphereDrivers resource that reports it',
    remedy: 'Set it, for example: vdoctl matrix why csi --kubernetes 1.34 --vsphere 8.0.3',
  });

/** The versions of the flags, otherwise those of the cluster, as in `vdoctl upgrade check`. */
const versionsFor = async (context: CliContext, flags: MatrixWhyFlags) => {
  const { kubernetes, vsphere } = flags;
  const given = vsphere === undefined ? [] : [{ server: 'version', version: vsphere }];
  if (kubernetes !== undefined && vsphere !== undefined)
    return { kubernetesVersion: kubernetes, vcenterVersions: given };
  const { signal } = context;
  const read = await withCluster(context, flags, async ({ kube }) => {
    const resource = await readDrivers(kube, signal);
    return {
      kubernetesVersion: kubernetes ?? (await kube.serverVersion({ signal })),
      vcenterVersions: vsphere === undefined && resource ? vcenterVersionsOf(resource) : given,
    };
  });
  if (read.vcenterVersions.length === 0) throw missing();
  return read;
};

/** vdoctl matrix why DRIVER */
export const matrixWhy: CommandRun<MatrixWhyFlags> = async (context, flags, [driver]) => {
  const chosen = await readMatrix(context, flags);
  const { kubernetesVersion, vcenterVersions } = await versionsFor(context, flags);
  const pick = pickRelease({
    matrix: chosen.matrix,
    driver: driver as DriverKind,
    distribution: flags.distribution,
    kubernetesVersion,
    vcenterVersions,
    layouts: knownLayouts,
    policy: 'Automatic',
    ...(flags.installed === undefined ? {} : { installed: flags.installed }),
  });
  const rejected = pick.rejected.map(({ release, reasons }) => ({
    version: release.version,
    reasons: reasons.map(({ text }) => text),
  }));
  const name = `${flags.distribution} ${(driver ?? '').toUpperCase()}`;
  printResult(context, flags.output, {
    data: {
      matrix: matrixData(chosen),
      driver,
      distribution: flags.distribution,
      version: pick.release.version,
      explanation: pick.explanation,
      rejected,
    },
    lines: () => [
      `${name} ${pick.release.version}: ${pick.explanation} with Kubernetes ${kubernetesVersion} and vCenter ${vcenterVersions.map(({ version }) => version).join(', ')}.`,
      ...(rejected.length === 0 ? [] : ['', 'Not selected:']),
      ...alignRows(rejected.map(({ version, reasons }) => [`  ${version}`, reasons.join('; ')])),
      '',
      matrixLine(chosen),
    ],
  });
};
