import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { renderMonitoring } from '../monitoring/render-monitoring.ts';
import { renderCniRole } from '../render/render-cni-role.ts';
import { renderOperator } from '../render/render-operator.ts';
import { renderHelmChart } from './helm-chart.ts';

const crdFolder = new URL('../../../../deploy/crds/', import.meta.url);
const crds = new Map(readdirSync(crdFolder).map((file) => [file, readFileSync(new URL(file, crdFolder), 'utf8')]));
const chart = renderHelmChart({ version: '0.1.0', crds });
const file = (name: string): string => {
  const text = chart.get(name);
  if (text === undefined) throw new Error(`no ${name}`);
  return text;
};
type Values = Readonly<Record<string, unknown>>;
const defaults = parse(file('values.yaml')) as Values;
const at = (values: Values, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Values | undefined)?.[key], values);
const isSet = (value: unknown): boolean =>
  !(
    value === undefined ||
    value === false ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
  );

/** The few words of Helm's language that the chart uses; any other is an error. */
const renderTemplate = (text: string, values: Values): string => {
  const conditional = text.replace(
    /\{\{- if \.Values\.(\S+) \}\}\n([\s\S]*?)\{\{- end \}\}\n/g,
    (_all, path: string, body: string) => (isSet(at(values, path)) ? body : ''),
  );
  return conditional.replace(/\{\{-? ("(?:[^"\\]|\\.)*"|.*?) \}\}/g, (_all, word: string) => {
    const value = /^\.Values\.(\S+)$/.exec(word);
    if (value?.[1]) return String(at(values, value[1]));
    const yaml = /^toYaml \.Values\.(\S+) \| indent (\d+)$/.exec(word);
    if (yaml?.[1]) {
      const lines = stringify(at(values, yaml[1])).trimEnd().split('\n');
      return lines.map((line) => ' '.repeat(Number(yaml[2])) + line).join('\n');
    }
    if (word === 'include "vdo.image" .') {
      const { registry, repository, tag, digest } = at(values, 'image') as Readonly<Record<string, string>>;
      return `${registry ? `${registry}/` : ''}${repository}${digest ? `@${digest}` : `:${tag}`}`;
    }
    if (/^".*"$/.test(word)) return JSON.parse(word);
    throw new Error(`unknown word of the template: ${word}`);
  });
};
const objectsOf = (name: string, values: Values = defaults): readonly Readonly<Record<string, unknown>>[] =>
  parseAllDocuments(renderTemplate(file(name), values))
    .map((document) => document.toJS())
    .filter((object) => object !== null);
const withValues = (changes: Values): Values => ({ ...defaults, ...changes });
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the Helm chart', () => {
  it('is, with nothing set, what deploy/operator.yaml is', () => {
    const expected = renderOperator({ version: '0.1.0', image: { repository: 'vdo/vdo', tag: '0.1.0' } });
    const own = expected.filter(
      ({ kind, metadata }) => !(kind === 'Namespace' && metadata.name === 'vmware-system-vdo'),
    );
    const deployment = plain(own.find(({ kind }) => kind === 'Deployment')) as {
      spec: { template: { spec: { containers: object[] } } };
    };
    const pod = deployment.spec.template.spec;
    const [container] = pod.containers as { args: string[] }[];
    Object.assign(pod, { imagePullSecrets: [] });
    Object.assign(container ?? {}, { args: [...(container?.args ?? []), '--log-level=info'] });
    expect(objectsOf('templates/operator.yaml')).toEqual([deployment]);
    expect(objectsOf('templates/rights.yaml')).toEqual(plain(own.filter(({ kind }) => kind !== 'Deployment')));
    for (const optional of ['templates/cni-role.yaml', 'templates/monitoring.yaml', 'templates/drivers.yaml'])
      expect(objectsOf(optional)).toEqual([]);
  });

  it('puts in what people set', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const image = {
      registry: 'mirror.example.com:5000',
      repository: 'vdo/vdo',
      tag: 'x',
      digest,
      pullPolicy: 'Always',
    };
    const values = withValues({
      replicas: 2,
      image,
      imagePullSecrets: [{ name: 'mirror' }],
      env: [{ name: 'A', value: 'b' }],
      logLevel: 'debug',
    });
    const [deployment] = objectsOf('templates/operator.yaml', values);
    expect(deployment).toMatchObject({
      spec: {
        replicas: 2,
        template: {
          spec: {
            imagePullSecrets: [{ name: 'mirror' }],
            containers: [
              {
                image: `mirror.example.com:5000/vdo/vdo@${digest}`,
                imagePullPolicy: 'Always',
                env: expect.arrayContaining([
                  { name: 'MALLOC_ARENA_MAX', value: '1' },
                  { name: 'A', value: 'b' },
                ]),
                args: expect.arrayContaining(['--log-level=debug']),
              },
            ],
          },
        },
      },
    });
  });

  it('adds what is asked for', () => {
    const create = { create: true };
    expect(objectsOf('templates/cni-role.yaml', withValues({ cniRole: create }))).toEqual(plain(renderCniRole()));
    expect(objectsOf('templates/monitoring.yaml', withValues({ monitoring: create }))).toEqual(
      plain(renderMonitoring()),
    );
    const drivers = { distribution: 'Native', vcenters: [{ server: 'vc', credentialsSecret: 'vcenter' }], cpi: {} };
    expect(objectsOf('templates/drivers.yaml', withValues({ drivers }))).toMatchObject([
      { kind: 'VSphereDrivers', metadata: { name: 'cluster' }, spec: drivers },
    ]);
  });

  it('brings the definitions, which stay when it goes', () => {
    const names = [...chart.keys()].filter((name) => name.startsWith('templates/crd-'));
    expect(names).toHaveLength(crds.size);
    for (const name of names) {
      const [crd] = objectsOf(name) as readonly { metadata: { name: string; annotations: unknown } }[];
      expect(crd?.metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
      expect(objectsOf(name, withValues({ crds: { install: false } }))).toEqual([]);
    }
  });

  it('describes every value in its schema, and no other', () => {
    const schema = JSON.parse(file('values.schema.json'));
    expect(
      Object.keys(schema.properties)
        .filter((key) => key !== 'global')
        .sort(),
    ).toEqual(Object.keys(defaults).sort());
    expect(Object.keys(schema.properties.image.properties).sort()).toEqual(
      Object.keys(defaults['image'] as object).sort(),
    );
  });
});
