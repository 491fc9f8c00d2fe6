import type { DriverKind } from '@vdo/releases/matrix';
import { pickRelease } from '@vdo/releases/pick-release';
import { knownLayouts } from '@vdo/releases/render/layouts';
import type { CommandRun } from '../../cli/command-run.ts';
import { printResult } from '../../output/print-result.ts';
import { alignRows } from '../../output/table.ts';
import { matrixData, matrixLine } from '../../shared/releases/matrix-in-use.ts';
import type { MatrixWhyFlags } from './commands.ts';
import { readMatrix } from './read-matrix.ts';

/** vdoctl matrix why DRIVER */
export const matrixWhy: CommandRun<MatrixWhyFlags> = async (context, flags, [driver]) => {
  const chosen = await readMatrix(context, flags);
  const pick = pickRelease({
    matrix: chosen.matrix,
    driver: driver as DriverKind,
    distribution: flags.distribution,
    kubernetesVersion: flags.kubernetes,
    vcenterVersions: [{ server: 'version', version: flags.vsphere }],
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
      `${name} ${pick.release.version}: ${pick.explanation} with Kubernetes ${flags.kubernetes} and vCenter ${flags.vsphere}.`,
      ...(rejected.length === 0 ? [] : ['', 'Not selected:']),
      ...alignRows(rejected.map(({ version, reasons }) => [`  ${version}`, reasons.join('; ')])),
      '',
      matrixLine(chosen),
    ],
  });
};
