import { readdirSync, readFileSync } from 'node:fs';
import type { AnyObject } from '@vdo/kube/types/object';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { partPath } from '../harness/parts.ts';
import { type CommandError, run } from '../harness/run.ts';
import { operatorNamespace, repositoryFile } from './operator-testbed.ts';

const chart = repositoryFile('deploy/helm/vdo');
let controlPlane: ControlPlane;
let folder: TempFolder;

const helm = (args: readonly string[]): Promise<string> =>
  run(partPath('helm'), args, {
    env: { HOME: folder.path, KUBECONFIG: controlPlane.kubeconfigPath, HELM_NAMESPACE: operatorNamespace },
  });
const refusal = async (args: readonly string[]): Promise<string> => {
  const error = await helm(args).then(
    () => undefined,
    (thrown: CommandError) => thrown,
  );
  return `${error?.stdout}${error?.stderr}`;
};
const objectsOf = (text: string): readonly AnyObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as AnyObject | null)
    .filter((object) => object !== null);
const nameOf = ({ kind, metadata }: AnyObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
const byName = (objects: readonly AnyObject[]) => new Map(objects.map((object) => [nameOf(object), object]));
const template = async (...args: readonly string[]) =>
  byName(objectsOf(await helm(['template', 'vdo', chart, ...args])));
const manifest = (path: string) => objectsOf(readFileSync(repositoryFile(path), 'utf8'));
const exists = async (kind: string, name: string): Promise<boolean> =>
  (await controlPlane.kubectl(['get', kind, name, '-n', operatorNamespace, '--ignore-not-found', '-o', 'name'])) !== '';
const get = async (...args: readonly string[]): Promise<AnyObject> =>
  JSON.parse(await controlPlane.kubectl(['get', '-n', operatorNamespace, '-o', 'json', ...args]));

const values = {
  replicas: 2,
  image: { registry: 'mirror.example.com:5000', digest: `sha256:${'a'.repeat(64)}`, pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'mirror' }],
  logLevel: 'debug',
  env: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' }],
  nodeSelector: { 'kubernetes.io/os': 'linux', disk: 'ssd' },
  resources: { requests: { cpu: '50m' }, limits: { memory: '512Mi' } },
  cniRole: { create: true },
  drivers: parse(readFileSync(repositoryFile('deploy/samples/minimal.yaml'), 'utf8')).spec,
};

describe('the chart, by Helm itself', () => {
  beforeAll(async () => {
    folder = await createTempFolder('helm');
    controlPlane = await startControlPlane({ controllers: [] });
  });
  afterAll(async () => {
    await controlPlane?.stop();
    await folder?.remove();
  });

  it('is found without fault', async () => {
    expect(await helm(['lint', '--strict', chart])).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  it('is, with nothing set, what the plain manifests are', async () => {
    const rendered = await template('--include-crds');
    const plain = [
      ...readdirSync(repositoryFile('deploy/crds')).flatMap((file) => manifest(`deploy/crds/${file}`)),
      // Helm makes the namespace of a release itself.
      ...manifest('deploy/operator.yaml').filter((object) => nameOf(object) !== `Namespace /${operatorNamespace}`),
    ];
    expect([...rendered.keys()].sort()).toEqual(plain.map(nameOf).sort());
    for (const object of plain) {
      const found = structuredClone(rendered.get(nameOf(object))) as AnyObject;
      if (object.kind === 'Deployment') {
        const { spec } = (found['spec'] as { template: { spec: Record<string, unknown> } }).template;
        const [container] = spec['containers'] as { args: string[] }[];
        expect(container?.args.pop()).toBe('--log-level=info');
        // Plain manifests name it once somebody has published; the operator takes a reserved name for none.
        expect(container?.args.pop()).toBe('--registry=registry.example.com');
        expect(spec['imagePullSecrets']).toEqual([]);
        delete spec['imagePullSecrets'];
      }
      const isDriverRole = object.metadata.labels?.['vdo.vmware.com/driver-role'] !== undefined;
      // Drivers work on when the chart is gone.
      if (isDriverRole) expect(found.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
      if (object.kind === 'Namespace' || isDriverRole) delete (found.metadata as { annotations?: unknown }).annotations;
      expect(found).toEqual(object);
    }
    const optional = [...manifest('deploy/cni-role.yaml'), ...manifest('deploy/monitoring/prometheus.yaml')];
    const full = await template('--set', 'cniRole.create=true,monitoring.create=true');
    for (const object of optional) expect(full.get(nameOf(object))).toEqual(object);
  });

  it.each([
    ['replicas=two', /replicas.*got string, want integer/s],
    ['replicas=9', /replicas.*maximum/s],
    ['image.digest=latest', /image\/digest.*does not match pattern/s],
    ['image.pullPolicy=Sometimes', /pullPolicy.*must be one of 'Always', 'IfNotPresent', 'Never'/s],
    ['logLevel=loud', /logLevel.*must be one of 'debug', 'info', 'warn', 'error'/s],
    ['imagePullSecrets[0]=mirror', /imagePullSecrets\/0.*want object/s],
    ['env[0].value=x', /env\/0.*missing property 'name'/s],
    ['tolerations[0].operator=Maybe', /tolerations\/0\/operator.*must be one of/s],
    ['replicaCount=2', /additional properties 'replicaCount' not allowed/],
    ['drivers.distribution=Nativ', /drivers\/distribution.*must be one of 'Native', 'Upstream'/s],
    ['drivers.vcentres=x', /drivers.*additional properties 'vcentres' not allowed/s],
  ])('refuses %s, naming the value and what it takes', async (set, expected) => {
    expect(await refusal(['template', 'vdo', chart, '--set', set])).toMatch(expected);
  });

  it('refuses another namespace, and one that would not admit its pods', async () => {
    expect(await refusal(['template', 'vdo', chart, '--namespace', 'default'])).toMatch(
      /bound to namespace vmware-system-vdo, not default: use --namespace vmware-system-vdo/,
    );
    await controlPlane.kubectl(['create', 'namespace', operatorNamespace]);
    const level = (one: string) =>
      controlPlane.kubectl([
        ...['label', '--overwrite', 'namespace', operatorNamespace],
        `pod-security.kubernetes.io/enforce=${one}`,
      ]);
    await level('restricted');
    expect(await refusal(['install', 'vdo', chart])).toMatch(/level restricted.*First run: kubectl label/);
    await level('privileged');
  });

  it('installs all in one command, where a namespace of the drivers is there already', async () => {
    await controlPlane.kubectl(['create', 'namespace', 'vmware-system-csi']);
    await run('sh', ['-c', `cat > "${folder.file('values.json')}"`], { stdin: JSON.stringify(values) });
    const reported = await helm(['install', 'vdo', chart, '-f', folder.file('values.json')]);
    expect(reported).toContain('"helm uninstall" removes the operator only');
    const deployment = await get('deployment', 'vdo-operator');
    expect(deployment).toMatchObject({
      spec: {
        replicas: 2,
        template: {
          spec: {
            imagePullSecrets: values.imagePullSecrets,
            nodeSelector: values.nodeSelector,
            topologySpreadConstraints: [{ topologyKey: 'topology.kubernetes.io/zone' }],
            containers: [
              {
                image: `mirror.example.com:5000/vdo/vdo@${values.image.digest}`,
                imagePullPolicy: 'Always',
                args: expect.arrayContaining(['--log-level=debug']),
                env: expect.arrayContaining(values.env),
                resources: values.resources,
              },
            ],
          },
        },
      },
    });
    expect(await exists('poddisruptionbudget', 'vdo-operator')).toBe(true);
    expect((await get('vspheredrivers', 'cluster'))['spec']).toMatchObject(values.drivers);
  });

  it('upgrades in place, keeps what is not set anew, and takes away what is no longer asked for', async () => {
    const before = await get('vspheredrivers', 'cluster');
    await helm(['upgrade', 'vdo', chart, '--reuse-values', '--set', 'replicas=1,logLevel=info,cniRole.create=false']);
    expect(await exists('poddisruptionbudget', 'vdo-operator')).toBe(false);
    expect(await get('deployment', 'vdo-operator')).toMatchObject({ spec: { replicas: 1 } });
    const after = await get('vspheredrivers', 'cluster');
    expect([after.metadata.uid, after.metadata.generation]).toEqual([before.metadata.uid, before.metadata.generation]);
    expect(await exists('clusterrole', 'vdo-operator')).toBe(true);
    expect(await exists('namespace', 'vmware-system-csi')).toBe(true);
  });

  it('refuses to go over definitions of another release, and goes on after the command that it names', async () => {
    const crd = 'vspheredrivers.vdo.vmware.com';
    await controlPlane.kubectl(['annotate', '--overwrite', 'crd', crd, 'vdo.vmware.com/definition=older']);
    const dropCategories = { spec: { names: { categories: null } } };
    await controlPlane.kubectl(['patch', 'crd', crd, '--type=merge', '-p', JSON.stringify(dropCategories)]);
    const refused = await refusal(['upgrade', 'vdo', chart, '--reuse-values']);
    expect(refused).toContain(`CustomResourceDefinition ${crd} is not the one of this chart`);
    const [, command = ''] = /First run: helm show crds CHART \| kubectl (.*)/.exec(refused) ?? [];
    const crds = await helm(['show', 'crds', chart]);
    await controlPlane.kubectl(command.trim().split(' '), { stdin: crds });
    await helm(['upgrade', 'vdo', chart, '--reuse-values']);
    expect(await get('crd', crd)).toMatchObject({ spec: { names: { categories: ['vsphere'] } } });
  });

  it('leaves drivers, namespaces and definitions when it is removed, and says so', async () => {
    const reported = await helm(['uninstall', 'vdo']);
    expect(reported).toMatch(/kept due to the resource policy:[\s\S]+\[VSphereDrivers\] cluster/);
    // Without their rights the drivers that go on running would serve nothing.
    expect(await exists('clusterrole', 'vdo:native-csi-1:controller')).toBe(true);
    expect(await exists('deployment', 'vdo-operator')).toBe(false);
    expect(await exists('clusterrole', 'vdo-operator')).toBe(false);
    for (const name of [operatorNamespace, 'vmware-system-csi']) expect(await exists('namespace', name)).toBe(true);
    expect(await exists('crd', 'vspheredrivers.vdo.vmware.com')).toBe(true);
    expect((await get('vspheredrivers', 'cluster'))['spec']).toMatchObject(values.drivers);
  });

  it('comes back over what it left', async () => {
    await helm(['install', 'vdo', chart, '-f', folder.file('values.json')]);
    expect(await exists('deployment', 'vdo-operator')).toBe(true);
    await helm(['uninstall', 'vdo']);
  });
});
