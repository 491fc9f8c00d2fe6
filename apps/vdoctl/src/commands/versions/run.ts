import { toVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { lacksOf, vcenterFeatures } from '@vdo/config/vcenter-features';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import type { VersionsFlags } from './command.ts';

interface Row {
  readonly what: string;
  readonly version: string;
  readonly note: string;
}

const tooOldFor = (version = ''): string => {
  const names = lacksOf(version).map((feature) => vcenterFeatures[feature].name);
  return names.length === 0 ? '' : `too old for ${names.join(', ')}`;
};

const readCluster = async (...[context, flags]: Parameters<CommandRun<VersionsFlags>>): Promise<readonly Row[]> => {
  try {
    return await withCluster(context, flags, async ({ kube, server }) => {
      const { signal } = context;
      const kubernetes = { what: 'Kubernetes', version: await kube.serverVersion({ signal }), note: server };
      const resource = await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal }).catch(() => undefined);
      const { versions, drivers = [] } = resource?.status ?? {};
      return [
        kubernetes,
        {
          what: 'Operator',
          version: versions?.operator ?? 'unknown',
          note: resource ? '' : 'no VSphereDrivers resource',
        },
        ...drivers.map(({ kind, version, target, distribution }) => ({
          what: kind,
          version: version ?? 'unknown',
          note: [distribution, target && `changing to ${target}`].filter(Boolean).join(', '),
        })),
        ...(versions?.vcenters ?? []).map(({ server: name, version, build }) => ({
          what: `vCenter ${name}`,
          version: version ?? 'unknown',
          note: [build && `build ${build}`, tooOldFor(version)].filter(Boolean).join(', '),
        })),
        ...(versions?.matrix
          ? [{ what: 'Matrix in use', version: String(versions.matrix.serial), note: versions.matrix.source }]
          : []),
      ];
    });
  } catch (error) {
    context.signal.throwIfAborted();
    return [{ what: 'Kubernetes', version: 'unknown', note: toVdoError(error).message }];
  }
};

/** vdoctl versions */
export const versions: CommandRun<VersionsFlags> = async (context, flags, args) => {
  const rows: readonly Row[] = [
    { what: 'vdoctl', version: context.version, note: '' },
    { what: 'Matrix of vdoctl', version: String(loadEmbeddedMatrix().serial), note: 'built in' },
    ...(await readCluster(context, flags, args)),
  ];
  printResult(context, flags.output, {
    data: rows,
    lines: () =>
      renderTable(
        [
          { title: 'what', value: (row: Row) => row.what },
          { title: 'version', value: (row: Row) => row.version },
          { title: 'note', value: (row: Row) => row.note },
        ],
        rows,
      ),
  });
  return exitCodes.done;
};
