import type { Container } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { allPods, isOurs, type ShippedPod } from './all-pods.ts';

interface Security {
  readonly privileged?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly allowPrivilegeEscalation?: boolean;
  readonly seccompProfile?: { readonly type: string };
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
}

const pods = allPods();
const isNodeRole = ({ name }: ShippedPod): boolean => name === 'vsphere-csi-node';
const securityOf = (pod: ShippedPod, container: Container): Security => ({
  ...(pod.spec['securityContext' as keyof typeof pod.spec] as Security | undefined),
  ...((container.securityContext ?? {}) as Security),
});
const each = (wanted: (pod: ShippedPod) => boolean, ours?: boolean) =>
  pods.filter(wanted).flatMap((pod) =>
    pod.spec.containers
      .filter((container) => ours === undefined || isOurs(container) === ours)
      .map((container) => ({
        at: `${pod.from}: ${pod.name}/${container.name}`,
        security: securityOf(pod, container),
        container,
      })),
  );
const not = (found: ReturnType<typeof each>, is: (security: Security) => boolean): readonly string[] =>
  found.filter(({ security }) => !is(security)).map(({ at }) => at);

/** Go programs whose own manifests leave the root writable; whether they do without has not been tried. */
const mayWriteRoot = ['vsphere-csi-controller', 'vsphere-syncer', 'vsphere-cloud-controller-manager'];

describe('every pod that is shipped', () => {
  it('is looked at: manifests, Helm chart, OLM bundle, and both distributions with and without OpenShift', () => {
    const places = new Set(pods.map(({ from }) => from));
    for (const place of [
      'deploy/operator.yaml',
      'deploy/helm/vdo/templates/operator.yaml',
      'deploy/olm/bundle/manifests/vdo.clusterserviceversion.yaml',
      'image probe',
      'minimal Native',
      'minimal Upstream on OpenShift',
    ])
      expect([...places], place).toContain(place);
    expect(pods.length).toBeGreaterThan(30);
  });

  it('has no capability, gains no right, is not root and has a seccomp profile, but for the node role', () => {
    const restricted = each((pod) => !isNodeRole(pod));
    expect(
      not(
        restricted,
        ({ privileged = false, allowPrivilegeEscalation }) => !privileged && allowPrivilegeEscalation === false,
      ),
    ).toEqual([]);
    expect(
      not(restricted, ({ capabilities }) => capabilities?.drop?.includes('ALL') === true && !capabilities.add),
    ).toEqual([]);
    expect(not(restricted, ({ runAsNonRoot, runAsUser }) => runAsNonRoot === true && runAsUser !== 0)).toEqual([]);
    expect(not(restricted, ({ seccompProfile }) => seccompProfile?.type === 'RuntimeDefault')).toEqual([]);
  });

  it('has a read-only root if it is ours, the node role too, and elsewhere but for programs that write there', () => {
    expect(
      not(
        each(() => true, true),
        ({ readOnlyRootFilesystem }) => readOnlyRootFilesystem === true,
      ),
    ).toEqual([]);
    const others = each((pod) => !isNodeRole(pod), false).filter(
      ({ container }) => !mayWriteRoot.includes(container.name),
    );
    expect(not(others, ({ readOnlyRootFilesystem }) => readOnlyRootFilesystem === true)).toEqual([]);
  });

  it('has no folder of the host and no namespace of its processes; the node role has the folders alone', () => {
    for (const pod of pods) {
      const hostPaths = (pod.spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
      expect(hostPaths.length > 0, `${pod.from}: ${pod.name}`).toBe(isNodeRole(pod));
      expect(pod.spec, `${pod.from}: ${pod.name}`).not.toHaveProperty('hostPID');
      expect(pod.spec, `${pod.from}: ${pod.name}`).not.toHaveProperty('hostIPC');
    }
  });

  it('has a bound of memory if it is ours', () => {
    // The values of the Helm chart have it.
    const ours = each(() => true, true).filter(({ at }) => !at.startsWith('deploy/helm'));
    expect(
      ours
        .filter(({ container }) => !/"limits":\{"memory":"\d+[MG]i"/.test(JSON.stringify(container.resources)))
        .map(({ at }) => at),
    ).toEqual([]);
  });
});
