import type { Container, PodSpec } from '@vdo/kube/types/core';
import type { AnyObject, KubeObject } from '@vdo/kube/types/object';
import type { DaemonSet, Deployment } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { effectiveRights } from '../testing/effective-rights.ts';
import { worlds } from '../testing/rendered-worlds.ts';

const isWorkload = (object: KubeObject): object is Deployment | DaemonSet =>
  object.kind === 'Deployment' || object.kind === 'DaemonSet';
const workloadsOf = (objects: readonly KubeObject[]): readonly (Deployment | DaemonSet)[] => objects.filter(isWorkload);
const containersOf = (objects: readonly AnyObject[]): readonly Container[] =>
  workloadsOf(objects).flatMap(({ spec }) => spec.template.spec.containers);
interface Security {
  readonly privileged?: boolean;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: { readonly drop?: readonly string[] };
}
interface PolicySpec {
  readonly policyTypes: readonly string[];
  readonly ingress: readonly { readonly ports: readonly { readonly port: number }[] }[];
  readonly podSelector: unknown;
}
/** Of one of our own images, not of an upstream sidecar. */
const isOwn = (image: string): boolean => /(^|\/)vdo\/(vdo|node)[:@]/.test(image);
const securityOf = ({ securityContext }: Container): Security => (securityContext ?? {}) as Security;
const isNode = ({ metadata }: Deployment | DaemonSet): boolean => metadata.name === 'vsphere-csi-node';

describe.each(worlds)('%s', (name, objects) => {
  const openShift = name.includes('OpenShift');

  it('has no object twice, and labels each as managed', () => {
    const keys = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(objects.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/managed-by'] !== 'vdo')).toEqual([]);
  });

  it('grants no wildcard, no escalation, and at most Secrets of its own namespace', () => {
    const rules = effectiveRights(objects).flatMap((given) => given.rules.map((rule) => ({ given, rule })));
    expect(rules.length).toBeGreaterThan(5);
    for (const { given, rule } of rules) {
      expect(JSON.stringify(rule)).not.toContain('"*"');
      expect(rule.verbs.filter((verb) => ['escalate', 'bind', 'impersonate'].includes(verb))).toEqual([]);
      if (rule.resources?.includes('secrets')) expect(given.namespace, 'Secrets of all namespaces').toBeDefined();
    }
  });

  it('keeps accounts in Secrets', () => {
    const others = JSON.stringify(objects.filter(({ kind }) => kind !== 'Secret'));
    expect(others).not.toContain('obviously-fake');
    expect(others).not.toContain('k8s@vsphere.local');
    const secrets = JSON.stringify(
      objects
        .filter(({ kind }) => kind === 'Secret')
        .flatMap(({ data }) => Object.values(data as Record<string, string>))
        .map((text) => Buffer.from(text, 'base64').toString('utf8')),
    );
    expect(secrets).toContain('obviously-fake');
  });

  it('runs containers restricted, except those that mount', () => {
    for (const workload of workloadsOf(objects)) {
      for (const container of workload.spec.template.spec.containers) {
        const security = securityOf(container);
        if (isNode(workload)) {
          expect(security.privileged ?? false, container.name).toBe(openShift || container.name === 'vsphere-csi-node');
          continue;
        }
        expect(security, container.name).toMatchObject({
          allowPrivilegeEscalation: false,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(security.runAsUser === undefined, 'OpenShift chooses the user').toBe(openShift);
      }
    }
  });

  it('limits the memory of our own containers and makes their root read-only', () => {
    for (const { image, name: container, resources, securityContext } of containersOf(objects)) {
      if (!isOwn(image)) continue;
      expect(resources, container).toMatchObject({ limits: { memory: expect.stringMatching(/^\d+[MG]i$/) } });
      expect(securityContext, container).toMatchObject({ readOnlyRootFilesystem: true });
    }
  });

  it('answers probes of pods on the host network only on the loopback address', () => {
    const onHost = workloadsOf(objects)
      .filter(({ spec }) => spec.template.spec.hostNetwork)
      .flatMap(({ spec }) => spec.template.spec.containers.filter(({ image }) => isOwn(image)));
    expect(onHost.length).toBe(name.includes('Native') ? 2 : 0);
    for (const { args = [], startupProbe, livenessProbe, readinessProbe, name: container } of onHost) {
      for (const probe of [startupProbe, livenessProbe, readinessProbe])
        expect(probe).toMatchObject({ httpGet: { host: '127.0.0.1' } });
      const flag = container === 'vsphere-csi-node' ? '--bind-address' : '--health-bind-address';
      expect(args.filter((text) => text.startsWith(flag))).toEqual([`${flag}=127.0.0.1`]);
    }
  });

  it('names the constraints under which OpenShift admits pods of the host, and lets their accounts use them', () => {
    const onHost = workloadsOf(objects).filter(({ spec }) => spec.template.spec.hostNetwork);
    expect(onHost.length).toBe(2);
    for (const { metadata, spec } of onHost) {
      const scc = spec.template.metadata?.annotations?.['openshift.io/required-scc'];
      expect(scc).toBe(
        openShift ? (metadata.name === 'vsphere-csi-node' ? 'privileged' : 'hostnetwork-v2') : undefined,
      );
      const account = `${metadata.namespace}/${spec.template.spec.serviceAccountName}`;
      const usable = effectiveRights(objects)
        .filter((given) => given.account === account && given.namespace === metadata.namespace)
        .flatMap(({ rules }) => rules)
        .filter(({ verbs }) => verbs.includes('use'));
      expect(usable.flatMap(({ resourceNames = [] }) => resourceNames)).toEqual(scc === undefined ? [] : [scc]);
    }
  });

  it('gives each pod a priority, Linux nodes and tolerations, and each container requests and a probe', () => {
    for (const { spec } of workloadsOf(objects)) {
      const pod: PodSpec = spec.template.spec;
      expect(pod.priorityClassName).toMatch(/^system-(cluster|node)-critical$/);
      expect(pod.nodeSelector?.['kubernetes.io/os']).toBe('linux');
      expect(pod.tolerations?.length).toBeGreaterThan(0);
    }
    for (const container of containersOf(objects)) {
      expect(JSON.stringify(container.resources), container.name).toMatch(/requests|limits/);
      // The container that probes the driver cannot be probed itself.
      if (container.name !== 'liveness-probe') expect(container.livenessProbe, container.name).toBeDefined();
    }
  });

  it('limits disruption where there are replicas, and only there', () => {
    const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget').map(({ metadata }) => metadata.name);
    const replicated = workloadsOf(objects).filter(
      ({ kind, spec }) => kind === 'Deployment' && ((spec as Deployment['spec']).replicas ?? 1) > 1,
    );
    expect(budgets.sort()).toEqual(replicated.map(({ metadata }) => metadata.name).sort());
    for (const { spec } of replicated) expect(JSON.stringify(spec)).toContain('topology.kubernetes.io/zone');
  });

  it('allows connections to pods of the pod network only on their declared ports', () => {
    const guarded = workloadsOf(objects).filter(({ spec }) => !spec.template.spec.hostNetwork);
    expect(guarded.length).toBeGreaterThan(0);
    for (const { metadata, spec } of guarded) {
      const policy = objects.find(({ kind, metadata: own }) => kind === 'NetworkPolicy' && own.name === metadata.name);
      const declared = spec.template.spec.containers.flatMap(({ ports = [] }) =>
        ports.map(({ containerPort }) => containerPort),
      );
      if (!policy) throw new Error(`no NetworkPolicy ${metadata.name}`);
      const { policyTypes, ingress, podSelector } = policy['spec'] as PolicySpec;
      expect(policyTypes).toEqual(['Ingress', 'Egress']);
      expect(podSelector).toEqual({ matchLabels: spec.selector.matchLabels });
      expect(ingress.flatMap(({ ports }) => ports.map(({ port }) => port)).sort()).toEqual(declared.sort());
    }
  });

  it('mounts only volumes that it has, and uses no port name twice', () => {
    for (const { spec } of workloadsOf(objects)) {
      const volumes = new Set((spec.template.spec.volumes ?? []).map(({ name: volume }) => volume));
      const mounted = spec.template.spec.containers.flatMap(({ volumeMounts = [] }) =>
        volumeMounts.map((mount) => mount.name),
      );
      expect(mounted.filter((mount) => !volumes.has(mount))).toEqual([]);
      const ports = spec.template.spec.containers.flatMap(({ ports: own = [] }) => own);
      expect(new Set(ports.map(({ name: port }) => port)).size).toBe(ports.length);
      expect(new Set(ports.map(({ containerPort }) => containerPort)).size).toBe(ports.length);
    }
  });

  it('uses mirror, pull secrets, pull policy and the folder of the kubelet', () => {
    if (!name.includes('every') && !name.includes('sidecars')) return;
    for (const { image, imagePullPolicy } of containersOf(objects)) {
      expect(image).toMatch(/^mirror\.example\.com:5000\/air\//);
      expect(imagePullPolicy).toBe('Always');
    }
    for (const { spec } of workloadsOf(objects))
      expect(spec.template.spec.imagePullSecrets).toEqual([{ name: 'pull' }]);
    expect(JSON.stringify(objects)).not.toContain('/var/lib/kubelet');
    expect(JSON.stringify(objects)).toContain('/data/kubelet/plugins/csi.vsphere.vmware.com');
  });
});
