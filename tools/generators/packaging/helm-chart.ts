import { annotationKeys, names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Deployment } from '@vdo/kube/types/workloads';
import { renderOperatorGuard } from '@vdo/releases/render/operator/operator-guard';
import { renderAllSecretsRole } from '@vdo/releases/render/operator/render-all-secrets-role';
import { renderCniRole } from '@vdo/releases/render/operator/render-cni-role';
import { renderDashboardRole } from '@vdo/releases/render/operator/render-dashboard-role';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { driverRoleLabel } from '@vdo/releases/render/roles/driver-role';
import { manifestYaml } from '@vdo/releases/render/shared/manifest-yaml';
import { spreadByZone } from '@vdo/releases/render/shared/pod';
import { parse, stringify } from 'yaml';
import { renderMonitoring } from '../monitoring/render-monitoring.ts';
import { renderHelmValues } from './helm-values.ts';

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
  /** Only several replicas have it. */
  several: 'MARK-SEVERAL',
} as const;

/** Braces of PromQL and annotations are not the template's. */
const literal = (text: string): string => text.replace(/\{\{[^}]*\}\}/g, (braces) => `{{ ${JSON.stringify(braces)} }}`);

const wrapped = (condition: string, text: string): string => `{{- if ${condition} }}\n${text}{{- end }}\n`;
const onlyIf = (path: string, text: string): string => wrapped(`.Values.${path}`, text);
const ifSeveral = (text: string): string => wrapped('gt (int .Values.replicas) 1', text);

const hasPolicies = '.Capabilities.APIVersions.Has "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy"';

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

const isDriverRole = ({ metadata }: KubeObject): boolean => metadata.labels?.[driverRoleLabel] !== undefined;
/** Drivers work on without the operator, and with the one before: what they are bound to stays. */
const kept = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } },
});
const isDeployment = (object: KubeObject): object is Deployment => object.kind === 'Deployment';

/** The Deployment with expressions in place of what people set, and what they get if they set nothing. */
const templateDeployment = (object: Deployment) => {
  const { template } = object.spec;
  const [container] = template.spec.containers;
  if (!container) throw new Error('the operator has no container');
  const { tolerations, affinity, nodeSelector, priorityClassName } = template.spec;
  const spec = {
    ...template.spec,
    topologySpreadConstraints: mark.several,
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
        args: [
          ...(container.args ?? []),
          `--registry=${mark.value('image.registry')}`,
          `--log-level=${mark.value('logLevel')}`,
          mark.more('extraArgs'),
        ],
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
  const spread = JSON.stringify(spreadByZone(2, object.spec.selector.matchLabels ?? {}).topologySpreadConstraints);
  const text = toTemplate(manifestYaml([templated as unknown as KubeObject])).replace(
    new RegExp(`^( *\\w+): ${mark.several}\n`, 'm'),
    (_line, key: string) => ifSeveral(`${key}: ${spread}\n`),
  );
  return { text, defaults };
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

const upgradeDefinitions = 'helm show crds CHART | kubectl apply --server-side --force-conflicts -f -';

/** Renders nothing: refuses what would go wrong later and less clearly. Without a cluster `lookup` finds nothing. */
const preconditions = (definitions: readonly Definition[]): string => {
  const checks = definitions.map(
    ({ name, mark: hash }) => `{{- with lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" "${name}" }}
{{- if ne (index (.metadata.annotations | default dict) "${definitionMark}" | default "none") "${hash}" }}
{{- fail "CustomResourceDefinition ${name} is not the one of this chart, and Helm does not upgrade it. First run: ${upgradeDefinitions}" }}
{{- end }}
{{- end }}
`,
  );
  return `{{- if ne .Release.Namespace "${names.namespace}" }}
{{- fail (printf "the rights of operator and drivers are bound to namespace ${names.namespace}, not %s: use --namespace ${names.namespace}" .Release.Namespace) }}
{{- end }}
{{- with lookup "v1" "Namespace" "" "${names.namespace}" }}
{{- $level := index (.metadata.labels | default dict) "${enforceLabel}" | default "privileged" }}
{{- if ne $level "privileged" }}
{{- fail (printf "namespace ${names.namespace} enforces the pod security level %s, but the operator works on the host network. First run: kubectl label --overwrite namespace ${names.namespace} ${enforceLabel}=privileged" $level) }}
{{- end }}
{{- end }}
${checks.join('')}`;
};

/** A namespace that is there already is used as it is: Helm would refuse to install over it. It may hold drivers, so it stays. */
const sharedNamespace = (object: KubeObject): string =>
  wrapped(
    `not (lookup "v1" "Namespace" "" "${object.metadata.name}")`,
    manifestYaml([
      { ...object, metadata: { ...object.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } } } as KubeObject,
    ]),
  );

const notes = `The operator is being started in namespace ${names.namespace}.
{{- if .Values.drivers }}
VSphereDrivers "cluster" has the spec of the value "drivers".
{{- else }}

1. Give it an account of the vCenter:
   kubectl -n ${names.namespace} create secret generic vcenter --from-literal=username=USER@DOMAIN --from-file=password=FILE
2. Say what the cluster should have, by deploy/samples or by the value "drivers":
   kubectl apply -f deploy/samples/minimal.yaml
{{- end }}

Wait for it:
   kubectl wait vspheredrivers/cluster --for=condition=Ready --timeout=10m

"helm uninstall" removes the operator only: VSphereDrivers, the drivers, their volumes and the definitions stay.
To remove the drivers, first run: kubectl delete vspheredrivers cluster
`;

const readme = (table: string): string => `# VDO

Installs the operator of the vSphere drivers. Needs Kubernetes 1.28 or later; see docs/guides/install.md of the repository.

## Values
${table}

A value that is not listed, or of another type, is refused.

## Upgrade
Helm never changes CustomResourceDefinitions. Before \`helm upgrade\`:

    ${upgradeDefinitions}

The chart refuses to be installed or upgraded over definitions that are not its own.

## Removal
\`helm uninstall\` removes the operator and its rights. VSphereDrivers, the drivers, volumes, namespaces and definitions stay.
To remove the drivers as well, run \`kubectl delete vspheredrivers cluster\` first, while the operator can still do it.
`;

const definitionMark = annotationKeys.definition;
const enforceLabel = 'pod-security.kubernetes.io/enforce';

interface Definition {
  readonly name: string;
  readonly mark: string;
  readonly specSchema: Readonly<Record<string, unknown>>;
}

const readDefinition = (yaml: string): Definition => {
  const { metadata, spec } = parse(yaml);
  const specSchema = spec.versions[0].schema.openAPIV3Schema.properties.spec;
  return { name: metadata.name, mark: metadata.annotations?.[definitionMark], specSchema };
};

/** Files of the chart by path. The namespace is fixed, because roles and drivers are bound to it. */
export const renderHelmChart = ({ version, crds }: HelmChartOptions): ReadonlyMap<string, string> => {
  const image = { repository: names.image, tag: version };
  // Two replicas: what only several have is put behind a condition.
  const objects = renderOperator({ version, image, replicas: 2 });
  const operator = objects.find(isDeployment);
  if (!operator) throw new Error('the operator has no Deployment');
  const definitions = [...crds.values()].map(readDefinition);
  const drivers = definitions.find(({ name }) => name.startsWith('vspheredrivers.'));
  if (!drivers) throw new Error('the chart has no definition of VSphereDrivers');
  const { text, defaults } = templateDeployment(operator);
  const values = renderHelmValues({ version, pod: defaults, driversSchema: drivers.specSchema });
  // Helm makes the namespace of the release itself, and would refuse to make it twice.
  const isNamespace = ({ kind }: KubeObject) => kind === 'Namespace';
  const shared = objects.filter((object) => isNamespace(object) && object.metadata.name !== names.namespace);
  const rights = objects.filter(
    (object) =>
      !isNamespace(object) && !isDeployment(object) && !isDriverRole(object) && object.kind !== 'PodDisruptionBudget',
  );
  const budget = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
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
    ['README.md', readme(values.table)],
    ['values.yaml', values.yaml],
    ['values.schema.json', values.schema],
    ['templates/_helpers.tpl', helpers],
    ['templates/NOTES.txt', notes],
    ['templates/preconditions.yaml', preconditions(definitions)],
    ['templates/namespaces.yaml', shared.map(sharedNamespace).join('---\n')],
    ['templates/rights.yaml', manifestYaml(rights)],
    ['templates/driver-roles.yaml', manifestYaml(objects.filter(isDriverRole).map(kept))],
    ['templates/operator.yaml', text],
    ['templates/guard.yaml', wrapped(hasPolicies, manifestYaml(renderOperatorGuard()))],
    ['templates/disruption-budget.yaml', ifSeveral(manifestYaml(budget))],
    [
      'templates/all-secrets-role.yaml',
      onlyIf(
        'allSecretsRole.create',
        manifestYaml(renderAllSecretsRole().map((one) => (isDriverRole(one) ? kept(one) : one))),
      ),
    ],
    ['templates/cni-role.yaml', onlyIf('cniRole.create', manifestYaml(renderCniRole()))],
    ['templates/dashboard-role.yaml', onlyIf('dashboardRole.create', manifestYaml(renderDashboardRole()))],
    ['templates/monitoring.yaml', onlyIf('monitoring.create', literal(manifestYaml(renderMonitoring())))],
    ['templates/drivers.yaml', driversTemplate],
    ...[...crds].map(([file, crd]) => [`crds/${file}`, crd] as const),
  ]);
};
