import type { ClusterRole, RoleBinding } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import type { DaemonSet, Deployment } from '@vdo/kube/types/workloads';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { everything, renderWorld } from '@vdo/releases/testing/rendered-worlds';
import { describe, expect, it } from 'vitest';
import { read } from './repository.ts';

const image = { repository: 'vdo/vdo', tag: '1' };
const objects: readonly KubeObject[] = [
  ...renderOperator({ version: '1', image }),
  ...renderWorld('Native', everything),
] as readonly KubeObject[];
const isWorkload = (object: KubeObject): object is Deployment | DaemonSet =>
  object.kind === 'Deployment' || object.kind === 'DaemonSet';
const workloads = objects.filter(isWorkload);

/** The roles of an account. */
const rolesOf = (account: string | undefined): readonly ClusterRole[] => {
  const bindings = objects.filter(({ kind }) =>
    kind.endsWith('Binding'),
  ) as readonly KubeObject[] as readonly RoleBinding[];
  const names = bindings
    .filter(({ subjects = [] }) => subjects.some(({ name }) => name === account))
    .map(({ roleRef, metadata }) => `${roleRef.kind} ${roleRef.name} ${metadata.namespace ?? ''}`);
  return (objects as readonly ClusterRole[]).filter(
    ({ kind, metadata }) =>
      /Role$/.test(kind) &&
      names.some((name) => name.startsWith(`${kind} ${metadata.name} ${metadata.namespace ?? ''}`)),
  );
};

const page = read('docs/explanation/security-model.md');
const rows = new Map(
  [...page.matchAll(/^\| `([\w-]+)` \| (\d) \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm)].map(
    ([, pod = '', ...cells]) => [pod, cells],
  ),
);

describe('docs/explanation/security-model.md', () => {
  it('has every pod that is installed, and no other', () => {
    expect([...rows.keys()].sort()).toEqual(workloads.map(({ metadata }) => metadata.name).sort());
  });

  it.each(workloads.map((workload) => [workload.metadata.name ?? '', workload] as const))(
    'says what %s may do',
    (name, { spec }) => {
      const [containers = '', user = '', host = '', secrets = '', writes = ''] = rows.get(name) ?? [];
      const pod = spec.template.spec;
      const security = JSON.stringify(pod.containers[0]?.securityContext);
      expect(Number(containers)).toBe(pod.containers.length);
      expect(/root, privileged/.test(user)).toBe(security.includes('"privileged":true'));
      expect(user.includes('65532')).toBe(security.includes('"runAsUser":65532'));
      expect(user.includes('read-only root')).toBe(security.includes('"readOnlyRootFilesystem":true'));
      expect(host.startsWith('yes')).toBe(pod.hostNetwork === true);
      const roles = rolesOf(pod.serviceAccountName);
      const rules = (kind: string) => roles.filter((role) => role.kind === kind).flatMap((role) => role.rules ?? []);
      // Secrets of the whole cluster are nobody's.
      expect(rules('ClusterRole').filter(({ resources }) => resources?.includes('secrets'))).toEqual([]);
      expect(secrets.trim() !== 'none').toBe(rules('Role').some(({ resources }) => resources?.includes('secrets')));
      const written = rules('ClusterRole').filter(({ verbs }) =>
        verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)),
      );
      expect(writes.trim() !== 'nothing').toBe(written.length > 0);
    },
  );
});
