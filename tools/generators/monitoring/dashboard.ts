/** A picture of the dashboard; queries are PromQL. */
interface Panel {
  readonly title: string;
  readonly description: string;
  readonly type: 'stat' | 'timeseries' | 'table';
  readonly unit?: string;
  /** Of 24 columns. Default 8. */
  readonly width?: number;
  readonly queries: readonly { readonly expr: string; readonly legend?: string }[];
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const rate = (metric: string, by: string, filter = ''): string =>
  `sum by (${by}) (rate(${metric}${filter}[$__rate_interval]))`;
const quantile = (metric: string, by: string): string =>
  `histogram_quantile(0.95, sum by (le, ${by}) (rate(${metric}_bucket[$__rate_interval])))`;

export const dashboardRows: readonly Row[] = [
  {
    title: 'At a glance',
    panels: [
      {
        title: 'Conditions',
        description: 'Status and reason of each condition of the VSphereDrivers resource.',
        type: 'table',
        width: 12,
        queries: [{ expr: 'max by (type, status, reason) (vdo_condition) == 1' }],
      },
      {
        title: 'Drivers',
        description: 'Releases that run, and those they are brought to.',
        type: 'table',
        width: 12,
        queries: [{ expr: 'max by (driver, distribution, version, target) (vdo_driver_info) == 1' }],
      },
      {
        title: 'Nodes not initialized',
        description: 'Nodes whose VM the cloud controller manager has not found yet.',
        type: 'stat',
        queries: [{ expr: 'max(vdo_nodes{state="total"}) - max(vdo_nodes{state="initialized"})' }],
      },
      {
        title: 'Failing checks',
        description: 'Objects by failing health check.',
        type: 'stat',
        queries: [{ expr: 'sum(vdo_check_status{status="Fail"}) or vector(0)' }],
      },
      {
        title: 'Pods not ready',
        description: 'Pods of the drivers that should be ready and are not.',
        type: 'stat',
        queries: [{ expr: 'sum(vdo_driver_pods{state="desired"}) - sum(vdo_driver_pods{state="ready"})' }],
      },
    ],
  },
  {
    title: 'Checks',
    panels: [
      {
        title: 'Results',
        description: 'Objects by check and result, other than Pass and Skipped.',
        type: 'timeseries',
        width: 24,
        queries: [
          { expr: 'sum by (check, status) (vdo_check_status{status!~"Pass|Skipped"})', legend: '{{check}} {{status}}' },
        ],
      },
    ],
  },
  {
    title: 'vCenter',
    panels: [
      {
        title: 'Calls',
        description: 'Calls per second by vCenter and method.',
        type: 'timeseries',
        unit: 'reqps',
        queries: [{ expr: rate('vdo_vcenter_calls_total', 'server, method'), legend: '{{server}} {{method}}' }],
      },
      {
        title: 'Failed calls',
        description: 'Failed calls per second by vCenter and error.',
        type: 'timeseries',
        unit: 'reqps',
        queries: [
          {
            expr: rate('vdo_vcenter_calls_total', 'server, result', '{result!="ok"}'),
            legend: '{{server}} {{result}}',
          },
        ],
      },
      {
        title: 'Duration',
        description: '95 of 100 calls end within this time. Long polls wait for changes.',
        type: 'timeseries',
        unit: 's',
        queries: [{ expr: quantile('vdo_vcenter_call_duration_seconds', 'method'), legend: '{{method}}' }],
      },
      {
        title: 'Logins',
        description: 'Logins by result. A healthy system logs in rarely.',
        type: 'timeseries',
        queries: [
          { expr: 'sum by (server, result) (increase(vdo_vcenter_logins_total[1h]))', legend: '{{server}} {{result}}' },
        ],
      },
    ],
  },
  {
    title: 'Volumes',
    panels: [
      {
        title: 'Operations',
        description: 'CSI operations per second by method.',
        type: 'timeseries',
        unit: 'ops',
        queries: [{ expr: rate('vdo_csi_operations_total', 'method'), legend: '{{method}}' }],
      },
      {
        title: 'Failed operations',
        description: 'Failed CSI operations per second by method and error.',
        type: 'timeseries',
        unit: 'ops',
        queries: [
          { expr: rate('vdo_csi_operations_total', 'method, code', '{code!="OK"}'), legend: '{{method}} {{code}}' },
        ],
      },
      {
        title: 'Duration',
        description: '95 of 100 operations end within this time.',
        type: 'timeseries',
        unit: 's',
        queries: [{ expr: quantile('vdo_csi_operation_duration_seconds', 'method'), legend: '{{method}}' }],
      },
    ],
  },
  {
    title: 'Nodes and controllers',
    panels: [
      {
        title: 'Time to initialise a node',
        description: '95 of 100 nodes lose their taint within this time.',
        type: 'timeseries',
        unit: 's',
        queries: [
          {
            expr: 'histogram_quantile(0.95, sum by (le) (rate(node_controller_cloud_provider_taint_removal_delay_seconds_bucket[1h])))',
          },
        ],
      },
      {
        title: 'Node failures',
        description: 'Failed attempts to initialise or refresh a node, by error.',
        type: 'timeseries',
        queries: [{ expr: rate('vdo_cpi_node_failures_total', 'code'), legend: '{{code}}' }],
      },
      {
        title: 'Reconciles',
        description: 'Passes of the control loops by result.',
        type: 'timeseries',
        unit: 'ops',
        queries: [
          { expr: rate('vdo_controller_reconciles_total', 'controller, result'), legend: '{{controller}} {{result}}' },
        ],
      },
    ],
  },
];

const datasource = { type: 'prometheus', uid: '$datasource' } as const;

const target = ({ expr, legend }: Panel['queries'][number], table: boolean, index: number) => ({
  refId: String.fromCharCode(65 + index),
  datasource,
  expr,
  ...(legend === undefined ? {} : { legendFormat: legend }),
  ...(table ? { format: 'table', instant: true } : {}),
});

interface Placed {
  readonly items: readonly unknown[];
  readonly y: number;
  readonly id: number;
}

const placeRow = ({ title, panels }: Row, from: Placed): Placed => {
  const head = {
    id: from.id,
    type: 'row',
    title,
    collapsed: false,
    panels: [],
    gridPos: { x: 0, y: from.y, w: 24, h: 1 },
  };
  const items: unknown[] = [head];
  const height = 8;
  let x = 0;
  let y = from.y + 1;
  for (const [index, panel] of panels.entries()) {
    const w = panel.width ?? 8;
    if (x + w > 24) {
      x = 0;
      y += height;
    }
    const table = panel.type === 'table';
    items.push({
      id: from.id + 1 + index,
      type: panel.type,
      title: panel.title,
      description: panel.description,
      datasource,
      gridPos: { x, y, w, h: height },
      fieldConfig: { defaults: panel.unit === undefined ? {} : { unit: panel.unit }, overrides: [] },
      options: {},
      targets: panel.queries.map((query, number) => target(query, table, number)),
    });
    x += w;
  }
  return { items: [...from.items, ...items], y: y + height, id: from.id + 1 + panels.length };
};

/** The dashboard as Grafana imports it. */
export const renderDashboard = (): unknown => {
  const { items } = dashboardRows.reduce<Placed>((placed, row) => placeRow(row, placed), { items: [], y: 0, id: 1 });
  return {
    title: 'vSphere drivers (VDO)',
    uid: 'vdo-overview',
    tags: ['vsphere', 'kubernetes', 'storage'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: '',
    annotations: { list: [] },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', hide: 0, current: {} },
      ],
    },
    panels: items,
  };
};
