import type { Metrics } from '@vdo/base/metrics';
import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';

interface Series {
  readonly set: () => void;
  readonly remove: () => void;
}

/** Exports each status as metrics. Series of removed objects are deleted, so that no alert fires on an old value. */
export const createStatusMetrics = (metrics: Metrics): ((status: VSphereDriversStatus | undefined) => void) => {
  const conditions = metrics.gauge<'type' | 'status' | 'reason'>({
    name: 'vdo_condition',
    help: '1 for the current status and reason of each condition of VSphereDrivers.',
    labels: ['type', 'status', 'reason'],
  });
  const drivers = metrics.gauge<'driver' | 'distribution' | 'version' | 'target'>({
    name: 'vdo_driver_info',
    help: '1 for each running driver, with its current and target release.',
    labels: ['driver', 'distribution', 'version', 'target'],
  });
  const pods = metrics.gauge<'driver' | 'role' | 'state'>({
    name: 'vdo_driver_pods',
    help: 'Desired and ready pods of each driver.',
    labels: ['driver', 'role', 'state'],
  });
  const nodes = metrics.gauge<'state'>({
    name: 'vdo_nodes',
    help: 'Nodes of the cluster by state.',
    labels: ['state'],
  });
  const matrix = metrics.gauge({ name: 'vdo_matrix_serial', help: 'Serial of the compatibility matrix in use.' });
  let shown = new Map<string, Series>();

  const seriesOf = (status: VSphereDriversStatus): Map<string, Series> => {
    const next = new Map<string, Series>();
    const add = <L extends string>(
      gauge: {
        set(labels: Readonly<Record<L, string>>, value: number): void;
        remove(labels: Readonly<Record<L, string>>): void;
      },
      name: string,
      labels: Readonly<Record<L, string>>,
      value: number,
    ) =>
      next.set(`${name} ${JSON.stringify(labels)}`, {
        set: () => gauge.set(labels, value),
        remove: () => gauge.remove(labels),
      });
    for (const { type, status: value, reason } of status.conditions ?? [])
      add(conditions, 'condition', { type, status: value, reason }, 1);
    for (const { kind, distribution = '', version = '', target = '', controllers, nodes: agents } of status.drivers ??
      []) {
      const driver = kind.toLowerCase();
      add(drivers, 'driver', { driver, distribution, version, target }, 1);
      for (const [role, count] of Object.entries({ controller: controllers, node: agents })) {
        if (!count) continue;
        add(pods, 'pods', { driver, role, state: 'desired' }, count.desired);
        add(pods, 'pods', { driver, role, state: 'ready' }, count.ready);
      }
    }
    if (status.nodes) {
      add(nodes, 'nodes', { state: 'total' }, status.nodes.total);
      add(nodes, 'nodes', { state: 'initialized' }, status.nodes.initialized);
    }
    if (status.versions?.matrix) add(matrix, 'matrix', {}, status.versions.matrix.serial);
    return next;
  };

  return (status) => {
    const next = status ? seriesOf(status) : new Map<string, Series>();
    for (const [key, series] of shown) if (!next.has(key)) series.remove();
    for (const series of next.values()) series.set();
    shown = next;
  };
};
