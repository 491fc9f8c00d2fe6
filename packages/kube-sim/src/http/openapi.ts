import type { Registry } from '../resources/registry.ts';
import type { ResourceDefinition } from '../strategies/resource-definition.ts';

const pathOf = ({ group }: ResourceDefinition, version: string): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

const parameter = (name: string): object => ({ name, in: 'query', schema: { type: 'string' } });

/** Only what kubectl looks for: which kinds take dryRun and fieldValidation. There are no schemas of built-in kinds. */
const operations = (definition: ResourceDefinition, version: string): object => {
  const { group, kind } = definition;
  const gvk = { 'x-kubernetes-group-version-kind': { group, version, kind } };
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation'].map(parameter);
  return { patch: { ...gvk, parameters, responses: {} } };
};

const document = (registry: Registry, path: string): object => {
  const served = registry
    .all()
    .flatMap((definition) => definition.versions.map(({ name }) => ({ definition, version: name })));
  const here = served.filter(({ definition, version }) => pathOf(definition, version) === path);
  const paths = here.map(({ definition, version }) => {
    const place = definition.namespaced ? 'namespaces/{namespace}/' : '';
    return [`/${path}/${place}${definition.plural}/{name}`, operations(definition, version)] as const;
  });
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(paths),
    components: { schemas: {} },
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
