import { describe, expect, it } from 'vitest';
import { withoutInTree } from './kubeadm-settings.ts';

const v1beta3 = `apiVersion: kubeadm.k8s.io/v1beta3
# kept
apiServer:
  extraArgs:
    authorization-mode: Node,RBAC
    cloud-config: /etc/kubernetes/vsphere.conf
    cloud-provider: vsphere
controllerManager:
  extraArgs:
    cloud-config: /etc/kubernetes/vsphere.conf
    cloud-provider: vsphere
    external-cloud-volume-plugin: vsphere
    feature-gates: DisableCloudProviders=false,Other=true
kubernetesVersion: v1.29.4
`;
const v1beta4 = `apiVersion: kubeadm.k8s.io/v1beta4
controllerManager:
  extraArgs:
    - name: cloud-provider
      value: vsphere
    - name: cloud-config
      value: /etc/kubernetes/vsphere.conf
    - name: profiling
      value: "false"
`;

describe('the settings of kubeadm', () => {
  it('lose the in-tree provider and nothing else, as a map', () => {
    expect(withoutInTree(v1beta3)).toBe(`apiVersion: kubeadm.k8s.io/v1beta3
# kept
apiServer:
  extraArgs:
    authorization-mode: Node,RBAC
controllerManager:
  extraArgs:
    cloud-provider: external
    feature-gates: Other=true
kubernetesVersion: v1.29.4
`);
  });

  it('lose it as a list', () => {
    expect(withoutInTree(v1beta4)).toBe(`apiVersion: kubeadm.k8s.io/v1beta4
controllerManager:
  extraArgs:
    - name: cloud-provider
      value: external
    - name: profiling
      value: "false"
`);
  });

  it.each([
    ['without the provider', 'controllerManager: {}\n'],
    ['that went already', withoutInTree(v1beta3)],
    ['that nobody can read', 'a: [b\n'],
  ])('stay as they are %s', (_what, text) => {
    expect(withoutInTree(text)).toBe(text);
  });
});
