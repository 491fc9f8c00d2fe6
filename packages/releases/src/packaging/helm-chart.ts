import type { KubeObject } from '@vdo/kube/types/object';
import type { Deployment } from '@vdo/kube/types/workloads';
import { stringify } from 'yaml';
import { renderMonitoring } from '../monitoring/render-monitoring.ts';
import { manifestYaml } from '../render/manifest-yaml.ts';
import { names } from '../render/names.ts';
import { renderCniRole } from '../render/render-cni-role.ts';
import { renderOperator } from '../render/render-operator.ts';

export interface HelmChartOptions {
  readonly version: string;
  /** File name → YAML of a CustomResourceDefinition. */
  readonly crds: ReadonlyMap<string, string>;
}

// Marks that stand in objects for expressions of the template language, until the objects are text.
const mark = {
  image: 'MARK-IMAGE',
  value: (path: string) => `MARK-VALUE ${path} END`,
  yaml: (path: string) => `MARK-YAML ${path} END`,
  /** The last item of a list: those that people add. */
  more: (path: string) => `MARK-MORE ${path} END`,
} as const;

/** Braces of PromQL and annotations are not the template's. */
const literal = (text: string): string => text.replace(/\{\{[^}]*\}\}/g, (braces) => `{{ ${JSON.stringify(braces)} }}`);

const onlyIf = (path: string, text: string): string => `{{- if .Values.${path} }}\n${text}{{- end }}\n`;

const toTemplate = (text: string): string =>
  text
    .replaceAll(mark.image, '{{ include "vdo.image" . }}')
    .replace(/"?MARK-VALUE (\S+) END"?/g, '{{ .Values.$1 }}')
    .replace(/^( *)- "?MARK-MORE (\S+) END"?\n/gm, (_line, indent: string, path: string) =>
      onlyIf(path, `{{ toYaml .Values.${path} | indent ${indent.length} }}\n`),
    )
    .replace(
      /^( *)(- )?([\w.-]+): "?MARK-YAML (\S+) END"?$/gm,
      (_line, indent: string, dash: string | undefined, key: string, path: string) => {
        const depth = indent.length + (dash?.length ?? 0) + 2;
        return `${indent}${dash ?? ''}${key}:\n{{ toYaml .Values.${path} | indent ${depth} }}`;
      },
    );

const isDeployment = (object: KubeObject): object is Deployment => object.kind === 'Deployment';

/** The Deployment with expressions in place of what people set, and what they get if they set nothing. */
const templateDeployment = (object: Deployment) => {
  const { template } = object.spec;
  const [container] = template.spec.containers;
  if (!container) throw new Error('the operator has no container');
  const { tolerations, affinity, nodeSelector, priorityClassName } = template.spec;
  const spec = {
    ...template.spec,
    imagePullSecrets: mark.yaml('imagePullSecrets'),
    nodeSelector: mark.yaml('nodeSelector'),
    tolerations: mark.yaml('tolerations'),
    affinity: mark.yaml('affinity'),
    priorityClassName: mark.value('priorityClassName'),
    containers: [
      {
        ...container,
        image: mark.image,
        imagePullPolicy: mark.value('image.pullPolicy'),
        args: [...(container.args ?? []), `--log-level=${mark.value('logLevel')}`],
        env: [...(container.env ?? []), mark.more('env')],
        resources: mark.yaml('resources'),
      },
    ],
  };
  const templated = {
    ...object,
    spec: { ...object.spec, replicas: mark.value('replicas'), template: { ...template, spec } },
  };
  const defaults = { nodeSelector, tolerations, affinity, priorityClassName, resources: container.resources };
  return { text: toTemplate(manifestYaml([templated as unknown as KubeObject])), defaults };
};

const helpers = `{{/* By digest where one is given, else by tag; the registry is put in front. */}}
{{- define "vdo.image" -}}
{{- with .Values.image.registry }}{{ . }}/{{ end }}{{ .Values.image.repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag }}{{ end }}
{{- end }}
`;

const driversTemplate = `{{- if .Values.drivers }}
apiVersion: vdo.vmware.com/v1beta1
kind: VSphereDrivers
metadata:
  name: cluster
  annotations:
    helm.sh/resource-policy: keep
spec:
{{ toYaml .Values.drivers | indent 2 }}
{{- end }}
`;

const notes = `The operator is being started in namespace ${names.namespace}.

1. Give it an account of the vCenter:
   kubectl -n ${names.namespace} create secret generic vcenter --from-literal=username=USER@DOMAIN --from-file=password=FILE
2. Say what the cluster should have, by deploy/samples or by the value "drivers":
   kubectl apply -f deploy/samples/minimal.yaml
3. Wait for it:
   kubectl wait vspheredrivers/cluster --for=condition=Ready --timeout=10m
`;

const valuesYaml = (version: string, defaults: Readonly<Record<string, unknown>>): string =>
  [
    '# Number of operator pods; one acts, the others wait for its Lease.',
    'replicas: 1',
    'image:',
    '  # Registry or mirror, with port and path if needed.',
    '  registry: ""',
    '  repository: vdo/vdo',
    `  tag: ${version}`,
    '  # If set, the image is pulled by it.',
    '  digest: ""',
    '  pullPolicy: IfNotPresent',
    '# Secrets of type kubernetes.io/dockerconfigjson, such as [{ name: mirror }].',
    'imagePullSecrets: []',
    '# debug, info, warn or error.',
    'logLevel: info',
    '# Environment variables of the operator, such as [{ name: HTTPS_PROXY, value: ... }].',
    'env: []',
    '# A new cluster has all nodes tainted until the drivers run: tolerate no less.',
    stringify(defaults, { lineWidth: 0 }).trimEnd(),
    '# CustomResourceDefinitions are installed and upgraded with the chart, and stay when it is removed.',
    'crds:',
    '  install: true',
    '# The right to manage a pod network, for spec.cni.manifest. It amounts to the rights of an administrator.',
    'cniRole:',
    '  create: false',
    '# Alerts and scraping, for clusters with the Prometheus operator.',
    'monitoring:',
    '  create: false',
    '# spec of the VSphereDrivers resource; empty: it is created by other means.',
    'drivers: {}',
    '',
  ].join('\n');

const schemaOf = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

const valuesSchema = () => {
  const text = { type: 'string' };
  const flag = schemaOf({ create: { type: 'boolean' } });
  const list = { type: 'array', items: { type: 'object' } };
  const map = { type: 'object' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...schemaOf({
      global: map,
      replicas: { type: 'integer', minimum: 1, maximum: 5 },
      image: schemaOf({
        registry: text,
        repository: text,
        tag: text,
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      }),
      imagePullSecrets: list,
      logLevel: { enum: ['debug', 'info', 'warn', 'error'] },
      env: list,
      nodeSelector: map,
      tolerations: list,
      affinity: map,
      priorityClassName: text,
      resources: map,
      crds: schemaOf({ install: { type: 'boolean' } }),
      cniRole: flag,
      monitoring: flag,
      drivers: map,
    }),
  };
};

/** Files of the chart by path. The namespace is fixed, because roles and drivers are bound to it. */
export const renderHelmChart = ({ version, crds }: HelmChartOptions): ReadonlyMap<string, string> => {
  const objects = renderOperator({ version, image: { repository: 'vdo/vdo', tag: version } });
  const operator = objects.find(isDeployment);
  if (!operator) throw new Error('the operator has no Deployment');
  const { text, defaults } = templateDeployment(operator);
  const keep = (crd: string) =>
    crd.replace(/^metadata:\n/m, 'metadata:\n  annotations:\n    helm.sh/resource-policy: keep\n');
  // Helm makes the namespace of the release itself, and would refuse to make it twice.
  const rest = objects.filter(
    ({ kind, metadata }) => kind !== 'Deployment' && !(kind === 'Namespace' && metadata.name === names.namespace),
  );
  const chart = {
    apiVersion: 'v2',
    name: 'vdo',
    description: 'Installs, configures, upgrades and watches the vSphere drivers (CPI and CSI) of a cluster.',
    type: 'application',
    version,
    appVersion: version,
    kubeVersion: '>=1.28.0-0',
    keywords: ['vsphere', 'csi', 'cloud-controller-manager', 'storage'],
  };
  return new Map([
    ['Chart.yaml', stringify(chart, { lineWidth: 0 })],
    ['values.yaml', valuesYaml(version, defaults)],
    ['values.schema.json', `${JSON.stringify(valuesSchema(), null, 2)}\n`],
    ['templates/_helpers.tpl', helpers],
    ['templates/NOTES.txt', notes],
    ['templates/rights.yaml', manifestYaml(rest)],
    ['templates/operator.yaml', text],
    ['templates/cni-role.yaml', onlyIf('cniRole.create', manifestYaml(renderCniRole()))],
    ['templates/monitoring.yaml', onlyIf('monitoring.create', literal(manifestYaml(renderMonitoring())))],
    ['templates/drivers.yaml', driversTemplate],
    ...[...crds].map(([file, crd]) => [`templates/crd-${file}`, onlyIf('crds.install', keep(crd))] as const),
  ]);
};
