import { names } from '@vdo/config/names';
import { loadReleaseSettings } from '@vdo/releases/release-settings';
import { stringify } from 'yaml';

type JsonSchema = Readonly<Record<string, unknown>>;

/** What people may set; the values file, its schema and the readme are written from the same list. */
interface ChartValue {
  readonly name: string;
  readonly about: string;
  readonly schema: JsonSchema;
  readonly preset?: unknown;
  readonly parts?: readonly ChartValue[];
}

/** What the chart takes from the rendered operator and from the definition of the resource. */
export interface ChartValuesInput {
  readonly version: string;
  /** Pod settings of the operator as deploy/operator.yaml has them. */
  readonly pod: Readonly<
    Record<'nodeSelector' | 'tolerations' | 'affinity' | 'priorityClassName' | 'resources', unknown>
  >;
  /** OpenAPI schema of the spec of VSphereDrivers. */
  readonly driversSchema: JsonSchema;
}

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const texts: JsonSchema = { type: 'object', additionalProperties: text };
const closed = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const named = closed({ name: { type: 'string', minLength: 1 } }, ['name']);
const variable = closed({ name: { type: 'string', minLength: 1 }, value: text, valueFrom: { type: 'object' } }, [
  'name',
]);
const toleration = closed({
  key: text,
  operator: { enum: ['Exists', 'Equal'] },
  value: text,
  effect: { enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
  tolerationSeconds: { type: 'integer' },
});
const amounts: JsonSchema = { type: 'object', additionalProperties: { type: ['string', 'number'] } };

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema of a definition as one for values: an unknown field is an error, where the API server drops it silently. */
const strict = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strict);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-kubernetes-') && key !== 'default');
  const plain = Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === 'properties' && isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, strict(one)]))
        : strict(value),
    ]),
  );
  const isOpen =
    schema['additionalProperties'] !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isRecord(plain['properties']) && !isOpen ? { ...plain, additionalProperties: false } : plain;
};

const valuesOf = ({ version, pod, driversSchema }: ChartValuesInput): readonly ChartValue[] => [
  {
    name: 'replicas',
    about:
      'Number of operator pods; one acts, the others wait for its Lease. From two on a disruption budget is added.',
    schema: { type: 'integer', minimum: 1, maximum: 5 },
    preset: 1,
  },
  {
    name: 'image',
    about: 'The image of the operator.',
    schema: {},
    parts: [
      {
        name: 'registry',
        about: 'Registry or mirror, with port and path if needed.',
        schema: text,
        preset: loadReleaseSettings().registry,
      },
      {
        name: 'repository',
        about: 'Name of the image.',
        schema: { type: 'string', minLength: 1 },
        preset: names.image,
      },
      { name: 'tag', about: 'Tag of the image.', schema: { type: 'string', minLength: 1 }, preset: version },
      {
        name: 'digest',
        about: 'If set, the image is pulled by it, as sha256:… with 64 digits.',
        schema: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        preset: '',
      },
      {
        name: 'pullPolicy',
        about: 'Always, IfNotPresent or Never.',
        schema: { enum: ['Always', 'IfNotPresent', 'Never'] },
        preset: 'IfNotPresent',
      },
    ],
  },
  {
    name: 'imagePullSecrets',
    about: 'Secrets of type kubernetes.io/dockerconfigjson, such as [{ name: mirror }].',
    schema: listOf(named),
    preset: [],
  },
  {
    name: 'logLevel',
    about: 'debug, info, warn or error.',
    schema: { enum: ['debug', 'info', 'warn', 'error'] },
    preset: 'info',
  },
  {
    name: 'extraArgs',
    about: 'Further arguments of the operator, such as [--dashboard] (see dashboardRole) or [--matrix-url=...].',
    schema: listOf(text),
    preset: [],
  },
  {
    name: 'env',
    about: 'Environment variables of the operator, such as [{ name: HTTPS_PROXY, value: ... }].',
    schema: listOf(variable),
    preset: [],
  },
  { name: 'nodeSelector', about: 'Labels of the nodes that may run it.', schema: texts, preset: pod.nodeSelector },
  {
    name: 'tolerations',
    about: 'A new cluster has all nodes tainted until the drivers run: tolerate no less.',
    schema: listOf(toleration),
    preset: pod.tolerations,
  },
  { name: 'affinity', about: 'Where it would rather run.', schema: { type: 'object' }, preset: pod.affinity },
  { name: 'priorityClassName', about: 'Priority of its pods.', schema: text, preset: pod.priorityClassName },
  {
    name: 'resources',
    about: 'What its container asks for and may use.',
    schema: closed({ requests: amounts, limits: amounts, claims: listOf(named) }),
    preset: pod.resources,
  },
  {
    name: 'cniRole',
    about: 'The right to manage a pod network, for spec.cni.manifest. It amounts to the rights of an administrator.',
    schema: {},
    parts: [
      {
        name: 'create',
        about: 'Whether to give the right to manage a pod network, which spec.cni.manifest needs.',
        schema: flag,
        preset: false,
      },
    ],
  },
  {
    name: 'allSecretsRole',
    about: 'What upstream cloud controller managers before 1.32 need: the Secrets of all namespaces.',
    schema: {},
    parts: [
      {
        name: 'create',
        about: 'Whether to ship the role that reads the Secrets of all namespaces.',
        schema: flag,
        preset: false,
      },
    ],
  },
  {
    name: 'dashboardRole',
    about: 'What the operator needs to serve the status page to who may read it, with --dashboard in extraArgs.',
    schema: {},
    parts: [
      { name: 'create', about: 'Whether to give the rights that --dashboard takes.', schema: flag, preset: false },
    ],
  },
  {
    name: 'monitoring',
    about: 'Alerts and scraping, for clusters with the Prometheus operator.',
    schema: {},
    parts: [{ name: 'create', about: 'Whether to create alerts and scraping.', schema: flag, preset: false }],
  },
  {
    name: 'drivers',
    about:
      'spec of the VSphereDrivers resource; empty: it is created by other means. It stays when the chart is removed.',
    schema: { type: 'object', if: { maxProperties: 0 }, else: strict(driversSchema) },
    preset: {},
  },
];

const yamlOf = (value: ChartValue): string => {
  const body = value.parts
    ? `${value.name}:\n${value.parts
        .map(yamlOf)
        .join('')
        .replace(/^(?=.)/gm, '  ')}`
    : stringify({ [value.name]: value.preset }, { lineWidth: 0 });
  return `# ${value.about}\n${body}`;
};

const schemaOf = ({ about, schema, parts }: ChartValue): JsonSchema => ({
  description: about,
  ...(parts ? closed(Object.fromEntries(parts.map((part) => [part.name, schemaOf(part)]))) : schema),
});

const rowsOf = ({ name, about, preset, parts }: ChartValue, above = ''): readonly string[] =>
  parts
    ? parts.flatMap((part) => rowsOf(part, `${above}${name}.`))
    : [
        `| \`${above}${name}\` | ${typeof preset === 'object' ? 'see `values.yaml`' : `\`${JSON.stringify(preset)}\``} | ${about} |`,
      ];

/** The values file, its schema and a table of it. */
export const renderHelmValues = (input: ChartValuesInput) => {
  const values = valuesOf(input);
  const properties = Object.fromEntries(values.map((value) => [value.name, schemaOf(value)]));
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...closed({ global: { type: 'object' }, ...properties }),
  };
  return {
    yaml: values.map(yamlOf).join(''),
    schema: `${JSON.stringify(schema, null, 2)}\n`,
    table: ['| Value | Default | Meaning |', '|---|---|---|', ...values.flatMap((value) => rowsOf(value))].join('\n'),
  };
};
