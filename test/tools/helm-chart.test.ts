import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderHelmChart } from '../../tools/generators/packaging/helm-chart.ts';

// What Helm itself makes of the chart is tested with Helm: test/e2e/helm.real.test.ts.
const crdFolder = new URL('../../deploy/crds/', import.meta.url);
const crds = new Map(readdirSync(crdFolder).map((file) => [file, readFileSync(new URL(file, crdFolder), 'utf8')]));
const chart = renderHelmChart({ version: '0.1.0', crds });
const file = (name: string): string => {
  const text = chart.get(name);
  if (text === undefined) throw new Error(`no ${name}`);
  return text;
};
interface Schema {
  readonly description?: string;
  readonly additionalProperties?: unknown;
  readonly properties: Readonly<Record<string, Schema>>;
}
const values = parse(file('values.yaml')) as Readonly<Record<string, unknown>>;
const schema = JSON.parse(file('values.schema.json')) as Schema;

describe('the Helm chart', () => {
  it('leaves no mark of the generator in any template', () => {
    for (const [name, text] of chart) expect(text, name).not.toContain('MARK-');
  });

  it('brings the definitions where Helm installs them first, and tells each by its mark', () => {
    expect([...chart.keys()].filter((name) => name.startsWith('crds/'))).toHaveLength(crds.size);
    for (const text of crds.values()) {
      const mark = parse(text).metadata.annotations['vdo.vmware.com/definition'];
      expect(mark).toMatch(/^[0-9a-f]{12}$/);
      expect(file('templates/preconditions.yaml')).toContain(`"${mark}"`);
    }
  });

  it('describes every value in its schema and its readme, and no other', () => {
    const described = Object.entries(schema.properties).filter(([name]) => name !== 'global');
    expect(described.map(([name]) => name)).toEqual(Object.keys(values));
    for (const [name, { description }] of described) {
      expect(description, name).toMatch(/\.$/);
      expect(file('README.md')).toContain(`| \`${name}`);
    }
    expect(Object.keys(schema.properties['image']?.properties ?? {})).toEqual(Object.keys(values['image'] as object));
  });

  it('knows the fields of the drivers, and no other', () => {
    const drivers = schema.properties['drivers'] as unknown as { else: Schema };
    expect(drivers.else.additionalProperties).toBe(false);
    expect(Object.keys(drivers.else.properties)).toEqual(expect.arrayContaining(['distribution', 'vcenters', 'csi']));
  });
});
