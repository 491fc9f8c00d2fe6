import type { KubeObject } from '@vdo/kube/types/object';
import type { DaemonSet, Deployment } from '@vdo/kube/types/workloads';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { effectiveRights } from '@vdo/releases/testing/effective-rights';
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

/** What an account may do, in the whole cluster or in single namespaces. */
const rulesOf = (account: string | undefined, scope: 'cluster' | 'namespace') =>
  effectiveRights(objects)
    .filter((given) => given.account === `vmware-system-vdo/${account}`)
    .filter(({ namespace }) => (namespace === undefined) === (scope === 'cluster'))
    .flatMap(({ rules }) => rules);

const page = read('docs/explanation/security-model.md');
const rows = new Map(
  [...page.matchAll(/^\| `([\w-]+)` \| (\d)((?: \| [^|]*){6}) \|$/gm)].map(
    ([, pod = '', containers = '', rest = '']) => [pod, [containers, ...rest.split(' | ').slice(1)]],
  ),
);

describe('docs/explanation/security-model.md', () => {
  it('has every pod that is installed, and no other', () => {
    expect([...rows.keys()].sort()).toEqual(workloads.map(({ metadata }) => metadata.name).sort());
  });

  it.each(workloads.map((workload) => [workload.metadata.name ?? '', workload] as const))(
    'says what %s may do',
    (name, { spec }) => {
      const [containers = '', user = '', capabilities = '', host = '', folders = '', secrets = '', writes = ''] =
        rows.get(name) ?? [];
      const pod = spec.template.spec;
      const security = JSON.stringify(pod.containers[0]?.securityContext);
      expect(Number(containers)).toBe(pod.containers.length);
      expect(/root, privileged/.test(user)).toBe(security.includes('"privileged":true'));
      expect(user.includes('65532')).toBe(security.includes('"runAsUser":65532'));
      expect(user.includes('read-only root')).toBe(security.includes('"readOnlyRootFilesystem":true'));
      expect(host.startsWith('yes')).toBe(pod.hostNetwork === true);
      expect(capabilities).toBe(security.includes('"privileged":true') ? 'all' : 'none');
      expect(capabilities === 'none').toBe(security.includes('"drop":["ALL"]'));
      const { kubeletPath = '' } = everything.advanced ?? {};
      const hostPaths = (pod.volumes ?? []).flatMap(({ hostPath }) =>
        hostPath ? [(hostPath as { readonly path: string }).path] : [],
      );
      const named = [...folders.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      expect(new Set(hostPaths.filter((path) => !path.startsWith(kubeletPath)))).toEqual(new Set(named));
      expect(folders.includes('the kubelet')).toBe(hostPaths.some((path) => path.startsWith(kubeletPath)));
      const rules = (scope: 'cluster' | 'namespace') => rulesOf(pod.serviceAccountName, scope);
      // Secrets of the whole cluster are nobody's.
      expect(rules('cluster').filter(({ resources }) => resources?.includes('secrets'))).toEqual([]);
      expect(secrets.trim() !== 'none').toBe(
        rules('namespace').some(({ resources }) => resources?.includes('secrets')),
      );
      const written = rules('cluster').filter(({ verbs }) =>
        verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)),
      );
      expect(writes.trim() !== 'nothing').toBe(written.length > 0);
    },
  );
});
