import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { conditionTypes } from '@vdo/config/api/vsphere-drivers-status';
import type { PodTemplate } from '@vdo/kube/types/workloads';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { renderWorld } from '@vdo/releases/testing/rendered-worlds';
import { describe, expect, it } from 'vitest';
import { alerts, runbookOf } from '../../tools/generators/monitoring/alerts.ts';
import { dashboardRows, renderDashboard } from '../../tools/generators/monitoring/dashboard.ts';
import { renderMonitoring } from '../../tools/generators/monitoring/render-monitoring.ts';

type Labels = Readonly<Record<string, string>>;
interface Monitored {
  readonly metadata: { readonly namespace?: string; readonly labels?: Labels };
  readonly spec: {
    /** Of a Service the labels themselves. */
    readonly selector: Labels | { readonly matchLabels: Labels };
    readonly endpoints?: readonly { readonly port: string }[];
    readonly podMetricsEndpoints?: readonly { readonly port: string }[];
    readonly ports?: readonly { readonly name: string; readonly targetPort: string }[];
  };
}
const isSelected = (selector: object, labels: Labels): boolean =>
  Object.entries((selector as { readonly matchLabels: Labels }).matchLabels).every(
    ([key, value]) => labels[key] === value,
  );

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const sources = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(`${root}${folder}`)
    .map((room) => `${folder}/${room}/src`)
    .filter((place) => existsSync(`${root}${place}`))
    .flatMap((place) =>
      readdirSync(`${root}${place}`, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => `${place}/${file}`),
    ),
);
/** Metrics that some program makes, with the kind each is made as. */
const made = new Map(
  sources
    .map(read)
    .filter((text) => /\.(counter|gauge|histogram)\b/.test(text))
    .flatMap((text) =>
      [...text.matchAll(/\.(counter|gauge|histogram)(?:<[^(]*>)?\(\{\s*name: '(\w+)'/g)].map(
        ([, kind = '', name = '']) => [name, kind] as const,
      ),
    ),
);
const metricsIn = (expr: string): readonly string[] =>
  [...expr.matchAll(/\b(?:vdo|node_controller)_\w+/g)].map(([name]) => name);
const exprs = [
  ...alerts.map(({ name, expr }) => [name, expr] as const),
  ...dashboardRows.flatMap(({ panels }) =>
    panels.flatMap(({ title, queries }) => queries.map(({ expr }) => [title, expr] as const)),
  ),
];

describe('monitoring', () => {
  it.each(exprs)('%s asks for metrics that some program makes', (_name, expr) => {
    const asked = metricsIn(expr);
    expect(asked.length).toBeGreaterThan(0);
    for (const name of asked) {
      const histogram = name.replace(/_bucket$/, '');
      expect(made.get(name.endsWith('_bucket') ? histogram : name), name).toBe(
        name.endsWith('_bucket') ? 'histogram' : name.endsWith('_total') ? 'counter' : 'gauge',
      );
    }
    const types = [...expr.matchAll(/type="(\w+)"/g)].map(([, type]) => type);
    expect(types.filter((type) => !(conditionTypes as readonly (string | undefined)[]).includes(type))).toEqual([]);
    expect(expr.split('(').length).toBe(expr.split(')').length);
  });

  it.each(['NodeDiskNotFound', 'NodeVmNotFound', 'VCenterUnreachable', 'ConfigInvalid', 'VCenterVersionUnsupported'])(
    'counts %s as a failure of the driver',
    (code) => {
      const { expr } = alerts.find(({ name }) => name === 'VdoVolumeOperationsFailing') ?? { expr: '' };
      const left = [...expr.matchAll(/code!~"([^"]+)"/g)].map(([, pattern]) => new RegExp(`^(?:${pattern})$`));
      expect(left.length).toBeGreaterThan(0);
      expect(left.some((pattern) => pattern.test(code))).toBe(false);
      expect(left.every((pattern) => pattern.test('OK') && pattern.test('VolumeSizeInvalid'))).toBe(true);
    },
  );

  it('has few alerts, each with its own page, and no page without alert', () => {
    expect(alerts.length).toBeLessThanOrEqual(12);
    const pages = readdirSync(`${root}docs/runbooks`).map((file) => `docs/runbooks/${file}`);
    expect(pages.sort()).toEqual(alerts.map(runbookOf).sort());
  });

  it.each(alerts.map((alert) => [alert.name, alert] as const))('%s has a page that says what to do', (name, alert) => {
    const text = read(runbookOf(alert));
    expect(text.startsWith(`# ${name}\n`)).toBe(true);
    for (const heading of ['## What it means', '## Look', '## Do']) expect(text).toContain(heading);
    expect(text).toContain('kubectl');
  });

  it('scrapes each program once, at a port that its pods have', () => {
    const image = { repository: 'vdo/vdo', tag: '1.0.0' };
    const pods = [...renderOperator({ version: '1.0.0', image }), ...renderWorld('Native')].flatMap((object) => {
      const { template } = (object as { spec?: { template?: PodTemplate } }).spec ?? {};
      return template ? [{ namespace: object.metadata.namespace, template }] : [];
    });
    const objects = renderMonitoring();
    const of = (kind: string) => objects.filter((object) => object.kind === kind) as unknown as readonly Monitored[];
    const services = of('ServiceMonitor').map(({ metadata, spec }) => {
      const [endpoint] = spec.endpoints ?? [];
      expect(endpoint).toMatchObject({ scheme: 'https', bearerTokenFile: expect.stringContaining('serviceaccount') });
      const service = of('Service').find(({ metadata: { labels = {} } }) => isSelected(spec.selector, labels));
      const port = service?.spec.ports?.find(({ name }) => name === endpoint?.port)?.targetPort ?? '';
      return { namespace: metadata.namespace, selector: (service?.spec.selector ?? {}) as Labels, port };
    });
    const scraped = (template: PodTemplate, namespace: string | undefined) =>
      services.filter(
        (one) =>
          one.namespace === namespace &&
          isSelected({ matchLabels: one.selector }, template.metadata?.labels ?? {}) &&
          template.spec.containers.some(({ ports }) => ports?.some(({ name }) => name === one.port)),
      );
    // The node role shows its metrics to nobody.
    const expected = pods.map(({ template }) => (template.metadata?.labels?.['app'] === 'vsphere-csi-node' ? 0 : 1));
    expect(pods.map(({ template, namespace }) => scraped(template, namespace).length)).toEqual(expected);
    expect(expected.filter((count) => count === 0)).toHaveLength(1);
    expect(of('PodMonitor')).toEqual([]);
  });

  it('gives each panel its own place and number', () => {
    const { panels } = renderDashboard() as {
      panels: readonly { id: number; gridPos: { x: number; y: number; w: number; h: number } }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
