import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { parseCli as parseCpi } from '@vdo/cpi/cli/parse-cli';
import { parseCli as parseCsi } from '@vdo/csi/cli/parse-cli';
import type { Container } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { DaemonSet, Deployment } from '@vdo/kube/types/workloads';
import { parseCli as parseOperator } from '@vdo/operator/cli';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { renderWorld } from '@vdo/releases/testing/rendered-worlds';
import { describe, expect, it } from 'vitest';

const native = loadEmbeddedMatrix().releases.filter(({ distribution }) => distribution === 'Native');
const [cpi, csi] = (['cpi', 'csi'] as const).map((driver) => native.find((release) => release.driver === driver));
const rendered = (logLevel: 'debug' | 'info' | 'warn' | 'error'): readonly KubeObject[] =>
  renderDrivers({
    spec: vsphereDriversSpec.parse({
      distribution: 'Native',
      vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }],
      cpi: { nodeLabels: { 'example.com/rack': 'r1', team: 'a' } },
      csi: {},
      advanced: { logLevel },
    }),
    releases: { ...(cpi && { cpi }), ...(csi && { csi }) },
    accounts: [],
  });
const containerOf = (objects: readonly KubeObject[], name: string): Container => {
  const workload = objects.find(({ kind, metadata }) => /Deployment|DaemonSet/.test(kind) && metadata.name === name);
  const [container] = (workload as KubeObject as Deployment | DaemonSet).spec.template.spec.containers;
  if (!container) throw new Error(`${name} has no container`);
  return container;
};
const argsOf = (objects: readonly KubeObject[], name: string): readonly string[] =>
  containerOf(objects, name).args ?? [];

describe('the arguments in the manifests are those the programs take', () => {
  it.each(['debug', 'info', 'warn', 'error'] as const)('cloud controller manager, log level %s', (logLevel) => {
    const result = parseCpi(argsOf(rendered(logLevel), 'vsphere-cloud-controller-manager'), { version: '0' });
    expect(result).toMatchObject({
      kind: 'run',
      warnings: [],
      flags: {
        cloudConfig: '/etc/cloud/vsphere.conf',
        securePort: 10_258,
        nodeLabels: { 'example.com/rack': 'r1', team: 'a' },
      },
    });
  });

  it.each(['debug', 'info', 'warn', 'error'] as const)('storage, log level %s', (logLevel) => {
    const objects = rendered(logLevel);
    expect(parseCsi(argsOf(objects, 'vsphere-csi-controller'))).toMatchObject({
      kind: 'controller',
      flags: { vsphereConf: '/etc/cloud/vsphere.conf', leaderElectionNamespace: 'vmware-system-csi', logLevel },
    });
    expect(parseCsi(argsOf(objects, 'vsphere-csi-node'))).toMatchObject({
      kind: 'node',
      flags: { register: true, logLevel },
    });
  });

  it('storage beside the upstream sidecars, and the snapshot controller', () => {
    const csi = { sidecars: 'Upstream' as const, snapshots: { install: true } };
    const objects = renderWorld('Native', { csi, images: { registry: 'mirror.example.com' } });
    expect(parseCsi(argsOf(objects, 'vsphere-csi-controller'))).toMatchObject({ flags: { sidecars: 'external' } });
    expect(parseCsi(argsOf(objects, 'vsphere-csi-node'))).toMatchObject({ flags: { register: false } });
    expect(parseCsi(argsOf(objects, 'snapshot-controller'))).toMatchObject({
      kind: 'snapshot-controller',
      flags: { leaderElectionNamespace: 'kube-system', healthPort: 9812 },
    });
  });

  it('operator', () => {
    const objects = renderOperator({ version: '0.1.0', image: { repository: 'vdo/vdo', tag: '0.1.0' } });
    const { args = [], ports } = containerOf(objects, 'vdo-operator');
    const flags = { namespace: 'vmware-system-vdo', healthPort: ports?.[0]?.containerPort };
    expect(parseOperator(args, '0')).toMatchObject({ kind: 'run', flags });
  });

  it('operator from a mirror, whose drivers come from there, too', () => {
    const image = { repository: 'vdo/vdo', tag: '0.1.0' };
    const argsFrom = (registry: string) =>
      containerOf(renderOperator({ version: '0.1.0', image, registry }), 'vdo-operator').args ?? [];
    expect(parseOperator(argsFrom('mirror.acme.io:5000/vdo'), '0')).toMatchObject({
      kind: 'run',
      flags: { registry: 'mirror.acme.io:5000/vdo' },
    });
    expect(argsFrom('registry.example.com').join(' ')).not.toContain('--registry');
  });
});
