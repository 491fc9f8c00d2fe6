import type { AnyObject } from '@vdo/kube/types/object';

/** What a program of a release is told and may do, one line for each: two manifests are compared by their lines. */
export type Facet = string;

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const nameOf = ({ kind, metadata }: AnyObject): string =>
  `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;

/** `--name=value`, however it is written: Go takes one dash or two. */
const argOf = (arg: unknown): string =>
  `--${text(arg)
    .replace(/^--?/, '')
    .replace(/^([^=]+)="(.*)"$/, '$1=$2')}`;

/** `$(NAME)` of a variable that has a plain value, as Kubernetes puts it in. */
const expanded = (arg: unknown, env: readonly unknown[]): string =>
  env.map(fields).reduce((whole, { name, value }) => {
    return value === undefined ? whole : whole.replaceAll(`$(${text(name)})`, text(value));
  }, text(arg));

const containerFacets = (place: string, value: unknown): readonly Facet[] => {
  const container = fields(value);
  const at = `${place} container ${text(container['name'])}`;
  const env = list(container['env']);
  return [
    at,
    `${at} image ${text(container['image'])}`,
    ...[...list(container['command']), ...list(container['args'])].map(
      (arg) => `${at} arg ${argOf(expanded(arg, env))}`,
    ),
    ...env.map((one) => {
      const { name, value: given, valueFrom } = fields(one);
      return `${at} env ${text(name)}=${given === undefined ? text(valueFrom) : text(given)}`;
    }),
    ...list(container['ports']).map(
      (one) => `${at} port ${text(fields(one)['name'])} ${text(fields(one)['containerPort'])}`,
    ),
    ...list(container['volumeMounts']).map(
      (one) => `${at} mount ${text(fields(one)['name'])} ${text(fields(one)['mountPath']).replace(/\/$/, '')}`,
    ),
  ];
};

const podFacets = (place: string, value: unknown): readonly Facet[] => {
  const spec = fields(value);
  const volumes = list(spec['volumes']).map((one) => {
    const { name, ...source } = fields(one);
    return `${place} volume ${text(name)} ${JSON.stringify(source)}`;
  });
  const tolerations = list(spec['tolerations']).map((one) => {
    const { key = '*', effect = '*', value: wanted } = fields(one);
    return `${place} toleration ${text(key)}:${text(effect)}${wanted === undefined ? '' : `=${text(wanted)}`}`;
  });
  return [
    `${place} account ${text(spec['serviceAccountName'] ?? spec['serviceAccount'])}`,
    ...(spec['priorityClassName'] === undefined ? [] : [`${place} priority ${text(spec['priorityClassName'])}`]),
    ...(spec['hostNetwork'] === true ? [`${place} hostNetwork`] : []),
    ...Object.entries(fields(spec['nodeSelector'])).map(([key, one]) => `${place} nodeSelector ${key}=${text(one)}`),
    ...volumes,
    ...tolerations,
    ...[...list(spec['initContainers']), ...list(spec['containers'])].flatMap((one) => containerFacets(place, one)),
  ];
};

const ruleFacets = (place: string, value: unknown): readonly Facet[] => {
  const { apiGroups, resources, verbs, nonResourceURLs } = fields(value);
  return list(verbs).flatMap((verb) => [
    ...list(apiGroups).flatMap((group) =>
      list(resources).map(
        (resource) => `${place} may ${text(verb)} ${text(resource)}${group === '' ? '' : `.${text(group)}`}`,
      ),
    ),
    ...list(nonResourceURLs).map((url) => `${place} may ${text(verb)} ${text(url)}`),
  ]);
};

const bindingFacets = (place: string, object: AnyObject): readonly Facet[] => {
  const { kind, name } = fields(object['roleRef']);
  return list(object['subjects']).map((one) => {
    const subject = fields(one);
    const namespace = subject['namespace'] === undefined ? '' : `${text(subject['namespace'])}/`;
    return `${place} gives ${text(kind)} ${text(name)} to ${text(subject['kind'])} ${namespace}${text(subject['name'])}`;
  });
};

const dataFacets = (place: string, object: AnyObject): readonly Facet[] =>
  Object.entries(fields(object['data'])).map(([key, value]) => `${place} data ${key}=${text(value)}`);

const ownFacets = (object: AnyObject): readonly Facet[] => {
  const place = nameOf(object);
  const spec = fields(object['spec']);
  switch (object.kind) {
    case 'Deployment':
    case 'DaemonSet':
      return [
        ...Object.entries(fields(fields(spec['selector'])['matchLabels'])).map(
          ([key, one]) => `${place} selector ${key}=${text(one)}`,
        ),
        ...(spec['replicas'] === undefined ? [] : [`${place} replicas ${text(spec['replicas'])}`]),
        ...podFacets(place, fields(fields(spec['template'])['spec'])),
      ];
    case 'ClusterRole':
    case 'Role':
      return list(object['rules']).flatMap((rule) => ruleFacets(place, rule));
    case 'ClusterRoleBinding':
    case 'RoleBinding':
      return bindingFacets(place, object);
    case 'ConfigMap':
      return dataFacets(place, object);
    case 'CSIDriver':
      return Object.entries(spec).map(([key, value]) => `${place} ${key}=${text(value)}`);
    case 'Service':
      return list(spec['ports']).map(
        (port) => `${place} port ${text(fields(port)['name'])} ${text(fields(port)['port'])}`,
      );
    case 'ValidatingWebhookConfiguration':
      return list(object['webhooks']).flatMap((one) => {
        const { name, rules, failurePolicy } = fields(one);
        return [`${place} ${text(name)} ${text(failurePolicy)} ${JSON.stringify(rules)}`];
      });
    default:
      return [];
  }
};

/** All lines of some manifests, each once and in order. Pure. */
export const facetsOf = (objects: readonly AnyObject[]): readonly Facet[] =>
  [...new Set(objects.flatMap((object) => [nameOf(object), ...ownFacets(object)]))].sort();
