import {
  vsphereDrivers,
  vsphereDriversJsonSchema,
  vsphereDriversName,
  vsphereDriversPrinterColumns,
} from '@vdo/config/api/vsphere-drivers';
import { vsphereDriversRules } from '@vdo/config/api/vsphere-drivers-rules';
import { matrixJsonSchema } from '@vdo/releases/matrix';
import { releaseSettingsJsonSchema } from '@vdo/releases/release-settings';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

const typeOf = (schema: Schema): string => {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' or ');
  if (schema.items) return `list of ${schema.items.properties ? 'objects' : typeOf(schema.items)}`;
  if (schema.properties) return 'object';
  if (typeof schema.additionalProperties === 'object') return `map of ${typeOf(schema.additionalProperties)}`;
  const limits = [schema.minimum, schema.maximum];
  const bounded = limits.every((limit) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER);
  return schema.type === 'integer' && bounded ? `integer, ${limits.join(' to ')}` : (schema.type ?? 'any');
};

const defaultOf = (schema: Schema, required: boolean): string => {
  if (required) return 'required';
  const { default: value } = schema;
  if (value === undefined) return '';
  const empty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  if (empty) return schema.properties ? 'see below' : 'empty';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
};

/** A table per object, each below the one that contains it. */
const tables = (schema: Schema, path: string): readonly string[] => {
  const fields = Object.entries(schema.properties ?? {});
  const rows = fields.map(([name, field]) => {
    const required = schema.required?.includes(name) ?? false;
    return `| \`${name}\` | ${cell(typeOf(field))} | ${cell(defaultOf(field, required))} | ${cell(field.description ?? '')} |`;
  });
  const own = [
    `${path.includes('.') ? '###' : '##'} ${path}`,
    schema.description ?? '',
    ['| Field | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n'),
  ].filter((part) => part !== '');
  const nested = fields.flatMap(([name, field]) => {
    if (field.properties) return tables(field, `${path}.${name}`);
    return field.items?.properties ? tables(field.items, `${path}.${name}[]`) : [];
  });
  return [...own, ...nested];
};

const document = (schema: Schema): string => {
  const { spec, status } = schema.properties ?? {};
  const rules = vsphereDriversRules.map(({ path, message }) => `| \`${path || 'resource'}\` | ${cell(message)} |`);
  const columns = vsphereDriversPrinterColumns.map(
    ({ name, description, priority }) => `| ${name}${priority ? ' (`-o wide`)' : ''} | ${cell(description)} |`,
  );
  return `${[
    '<!-- Generated from packages/config/src/api. Do not edit: npm run generate. -->',
    '# API reference',
    `\`${vsphereDrivers.kind}\` of \`${vsphereDrivers.group}/${vsphereDrivers.version}\`, cluster-scoped. ${schema.description ?? ''} Its name is always \`${vsphereDriversName}\`. Examples are in [deploy/samples](../../deploy/samples).`,
    ...tables(spec ?? {}, 'spec'),
    '## Rules',
    'The API server refuses a resource that breaks one of these, with the message given here.',
    ['| Where | Rule |', '|---|---|', ...rules].join('\n'),
    ...tables(status ?? {}, 'status'),
    '## Columns of kubectl get',
    ['| Column | Meaning |', '|---|---|', ...columns].join('\n'),
  ].join('\n\n')}\n`;
};

/** docs/reference/api.md and the JSON schema of the compatibility matrix. */
export const renderApiReference = (): ReadonlyMap<string, string> => {
  return new Map([
    ['docs/reference/api.md', document(vsphereDriversJsonSchema() as Schema)],
    ['deploy/compatibility-matrix.schema.json', `${JSON.stringify(matrixJsonSchema(), undefined, 2)}\n`],
    ['deploy/release-settings.schema.json', `${JSON.stringify(releaseSettingsJsonSchema(), undefined, 2)}\n`],
  ]);
};
