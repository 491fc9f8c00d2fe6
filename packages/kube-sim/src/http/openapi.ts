import type { Registry } from '../resources/registry.ts';
import type { ResourceType, ResourceVersion } from '../strategies/resource-type.ts';

const pathOf = ({ group }: ResourceType, version: string): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

const parameter = (name: string): object => ({ name, in: 'query', schema: { type: 'string' } });

/** Only what kubectl reads: which kinds support dryRun and fieldValidation. There are no schemas of built-in kinds. */
const operations = (definition: ResourceType, version: string): object => {
  const { group, kind } = definition;
  const gvk = { 'x-kubernetes-group-version-kind': { group, version, kind } };
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation'].map(parameter);
  return { patch: { ...gvk, parameters, responses: {} } };
};

/** `example.com` as `com.example`, as a real server names the schemas of custom resources. */
const schemaName = ({ group, kind }: ResourceType, version: string): string =>
  [...group.split('.').reverse(), version, kind].join('.');

const ofEveryObject = {
  apiVersion: { type: 'string', description: 'The version of the schema of this object.' },
  kind: { type: 'string', description: 'The kind of this object.' },
  metadata: { type: 'object', description: 'Standard metadata of an object.' },
};

/** What `kubectl explain` shows. */
const schemaOf = ({ group, kind }: ResourceType, { name, schema }: ResourceVersion): object => ({
  ...schema,
  properties: { ...ofEveryObject, ...schema?.properties },
  'x-kubernetes-group-version-kind': [{ group, version: name, kind }],
});

const document = (registry: Registry, path: string): object => {
  const served = registry
    .all()
    .flatMap((definition) => definition.versions.map((version) => ({ definition, version })));
  const here = served.filter(({ definition, version }) => pathOf(definition, version.name) === path);
  const paths = here.map(({ definition, version }) => {
    const place = definition.namespaced ? 'namespaces/{namespace}/' : '';
    return [`/${path}/${place}${definition.plural}/{name}`, operations(definition, version.name)] as const;
  });
  const schemas = here.flatMap(({ definition, version }) =>
    version.schema ? [[schemaName(definition, version.name), schemaOf(definition, version)] as const] : [],
  );
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
};

/** Answers `/openapi/v3` and the documents it points to; undefined for anything else. */
export const openApi = (registry: Registry, path: string): object | undefined => {
  if (path === '/openapi/v2')
    return { swagger: '2.0', info: { title: 'Kubernetes', version: 'unversioned' }, paths: {}, definitions: {} };
  if (path === '/openapi/v3') {
    const names = new Set(
      registry.all().flatMap((definition) => definition.versions.map(({ name }) => pathOf(definition, name))),
    );
    return {
      paths: Object.fromEntries([...names].map((name) => [name, { serverRelativeURL: `/openapi/v3/${name}` }])),
    };
  }
  return path.startsWith('/openapi/v3/') ? document(registry, path.slice('/openapi/v3/'.length)) : undefined;
};
