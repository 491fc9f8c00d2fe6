import { aborted } from '@vdo/base/async/aborted';
import { createSystemClock } from '@vdo/base/clock';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTempFolder, type TempFolder } from '../../harness/cleanup.ts';
import { writeKubeconfig } from '../../harness/kubeconfig.ts';
import { partPath } from '../../harness/parts.ts';
import { spawnLogged } from '../../harness/process.ts';
import { run } from '../../harness/run.ts';
import { waitFor } from '../../harness/wait-for.ts';

const manifests = `
apiVersion: v1
kind: Node
metadata: { name: worker-1, labels: { node-role.kubernetes.io/worker: "" } }
status: { nodeInfo: { kubeletVersion: v1.34.4 }, conditions: [{ type: Ready, status: "True" }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: "none.test/web:1", ports: [{ containerPort: 80 }] }] }
`;

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { plural: things, kind: Thing, shortNames: [th] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }]
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, required: [size], properties: { size: { type: integer, maximum: 9 } } }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;
const thing = (size: unknown) =>
  `{ apiVersion: example.com/v1, kind: Thing, metadata: { name: one }, spec: { size: ${size} } }`;

describe('kubectl against kube-sim', () => {
  const stopping = new AbortController();
  let folder: TempFolder;
  let server: HttpServer;
  let running: Promise<void>;
  let kubectl: (line: string, stdin?: string) => Promise<string>;
  let kubeconfig: string;

  beforeAll(async () => {
    folder = await createTempFolder('kubectl');
    const clock = createSystemClock();
    const sim = createKubeSim({
      clock,
      random: createSystemRandom(),
      logger: silentLogger,
      workloadOf:
        () =>
        async (pod, { log, ready, signal }) => {
          log(`hello from ${pod.metadata.name}`);
          ready();
          await aborted(signal);
        },
    });
    running = sim.run(stopping.signal);
    const tls = createSelfSigned({ commonName: 'kube-sim', hosts: ['127.0.0.1'], nowMs: clock.now() });
    server = await serveHttp({ handler: sim.handler, port: 0, tls });
    const account = { namespace: 'kube-system', name: 'admin', uid: 'u' };
    const life = { lifetimeSeconds: 3_600, audiences: ['https://kubernetes.default.svc'] };
    const user = { token: sim.identities.issue(account, life).token };
    kubeconfig = await writeKubeconfig(folder.file('kubeconfig'), { url: server.url, caCert: tls.cert, user });
    kubectl = (line, stdin) =>
      run(partPath('kubectl'), ['--kubeconfig', kubeconfig, ...line.split(' ')], {
        env: { HOME: folder.path },
        ...(stdin === undefined ? {} : { stdin }),
      });
    await kubectl('apply -f -', manifests);
    await kubectl('rollout status deployment/web --timeout=20s');
  });
  afterAll(async () => {
    stopping.abort();
    await running;
    await server?.close();
    await folder?.remove();
  });

  test('get shows the columns of a real server', async () => {
    expect(await kubectl('get nodes')).toMatch(
      /^NAME +STATUS +ROLES +AGE +VERSION\nworker-1 +Ready +worker +\d+s +v1\.34\.4\n$/,
    );
    expect(await kubectl('get deployment web -o wide')).toMatch(
      /READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\nweb +2\/2 +2 +2 /,
    );
    expect(await kubectl('get all')).toMatch(/pod\/web-\S+ +1\/1 +Running +0 /);
    expect(await kubectl('get pods --all-namespaces')).toMatch(/^NAMESPACE +NAME +READY/);
  });

  test('get gives objects as YAML, JSON and by path', async () => {
    expect(await kubectl('get deployment web -o yaml')).toContain('\nkind: Deployment\n');
    expect(JSON.parse(await kubectl('get pods -o json')).items).toHaveLength(2);
    expect(await kubectl('get deployment web -o jsonpath={.status.readyReplicas}')).toBe('2');
    expect(await kubectl('get pods -l app=web -o name')).toMatch(/^pod\/web-/);
    expect(await kubectl('get pods --field-selector spec.nodeName=nowhere -o name')).toBe('');
  });

  test('describe reads an object with what belongs to it', async () => {
    expect(await kubectl('describe deployment web')).toMatch(
      /Replicas: +2 desired \| 2 updated \| 2 total \| 2 available/,
    );
    expect(await kubectl('describe node worker-1')).toContain('Non-terminated Pods');
    expect(await kubectl('describe pods')).toContain('Container ID');
  });

  test('get -w follows changes', async () => {
    const watcher = spawnLogged(
      partPath('kubectl'),
      ['--kubeconfig', kubeconfig, 'get', 'configmaps', '-w', '--no-headers'],
      { env: { HOME: folder.path } },
    );
    await waitFor(() => watcher.tail().includes('kube-root-ca.crt'), {
      what: 'the first objects',
      processes: [watcher],
    });
    await kubectl('create configmap watched --from-literal=a=b');
    await waitFor(() => /watched +1 /.test(watcher.tail()), { what: 'the new object', processes: [watcher] });
    await watcher.stop();
  });

  test('apply, client side and server side, leaves alone what is unchanged', async () => {
    expect(await kubectl('apply -f -', manifests)).toBe('node/worker-1 unchanged\ndeployment.apps/web unchanged\n');
    expect(await kubectl('apply --server-side -f -', manifests)).toContain('deployment.apps/web serverside-applied');
    await kubectl('scale deployment web --replicas=3');
    await expect(kubectl('apply --server-side -f -', manifests)).rejects.toThrow(
      /conflict with "kubectl" with subresource "scale".*: \.spec\.replicas/,
    );
    expect(await kubectl('apply --server-side --force-conflicts -f -', manifests)).toContain('serverside-applied');
    expect(await kubectl('apply --dry-run=server -f -', manifests)).toContain('unchanged (server dry run)');
    expect(await kubectl('diff --server-side --force-conflicts -f -', manifests)).toBe('');
  });

  test('patch, label, annotate and taint change an object', async () => {
    const patch = '{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"b"}]}]}}}}';
    expect(await kubectl(`patch deployment web -p ${patch}`)).toContain('patched');
    expect(await kubectl('get deployment web -o jsonpath={.spec.template.spec.containers[0].image}')).toBe(
      'none.test/web:1',
    );
    await kubectl('label node worker-1 zone=a');
    await kubectl('annotate node worker-1 note=b');
    expect(await kubectl('get node worker-1 -o jsonpath={.metadata.annotations.note}')).toBe('b');
    await kubectl('taint node worker-1 key=value:NoSchedule');
    expect(await kubectl('get node worker-1 -L zone')).toMatch(/ZONE\n.* a\n$/);
    expect(await kubectl('taint node worker-1 key-')).toContain('untainted');
    await kubectl('cordon worker-1');
    expect(await kubectl('get nodes')).toContain('Ready,SchedulingDisabled');
    await kubectl('uncordon worker-1');
  });

  test('rollouts go forward and back', async () => {
    await kubectl('set image deployment/web main=none.test/web:2');
    expect(await kubectl('rollout status deployment/web --timeout=20s')).toContain('successfully rolled out');
    expect(await kubectl('rollout undo deployment/web')).toContain('rolled back');
    expect(await kubectl('rollout status deployment/web --timeout=20s')).toContain('successfully rolled out');
    expect(await kubectl('get pods -o jsonpath={.items[*].spec.containers[0].image}')).not.toContain('web:2');
  });

  test('wait, logs and events', async () => {
    expect(await kubectl('wait --for=condition=Available deployment/web --timeout=20s')).toContain('condition met');
    expect(await kubectl('logs deployment/web --tail=1')).toMatch(/^hello from web-/);
    const involved = '{"kind":"Node","name":"worker-1","apiVersion":"v1"}';
    const event = `{"apiVersion":"v1","kind":"Event","metadata":{"name":"e1"},"involvedObject":${involved},"reason":"Tried","message":"it works","type":"Normal","lastTimestamp":"${new Date().toISOString().slice(0, 19)}Z"}`;
    await kubectl('create -f -', event);
    expect(await kubectl('events')).toMatch(/Normal +Tried +Node\/worker-1 +it works/);
    expect(await kubectl('get events')).toMatch(/Normal +Tried +node\/worker-1 +it works/);
  });

  test('exec says that it is missing here', async () => {
    await expect(kubectl('exec deployment/web -- true')).rejects.toThrow('does not serve pods/exec');
  });

  test('delete waits until the object is gone', async () => {
    await kubectl('create namespace short-lived');
    await kubectl('create secret generic login --from-literal=password=fake -n short-lived');
    expect(await kubectl('get secret login -n short-lived -o jsonpath={.data.password}')).toBe('ZmFrZQ==');
    expect(await kubectl('delete namespace short-lived --wait --timeout=20s')).toContain('deleted');
    await expect(kubectl('get namespace short-lived')).rejects.toThrow('NotFound');
    await kubectl('run single --image=none.test/single:1');
    await kubectl('wait --for=condition=Ready pod/single --timeout=20s');
    expect(await kubectl('delete pod single --wait --timeout=20s')).toContain('deleted');
    expect(await kubectl('delete deployment web --cascade=foreground --timeout=20s')).toContain('deleted');
    expect(await kubectl('get pods -o name')).toBe('');
  });

  test('custom resources are found by short name, validated, printed and removed', async () => {
    await kubectl('apply -f -', definition);
    await kubectl('wait --for=condition=Established crd/things.example.com --timeout=20s');
    expect(await kubectl('apply -f -', thing(3))).toContain('thing.example.com/one created');
    expect(await kubectl('get th')).toMatch(/^NAME +SIZE\none +3\n$/);
    expect(await kubectl('explain things.spec.size')).toMatch(/FIELD: size <integer>/);
    await expect(kubectl('apply -f -', thing(10))).rejects.toThrow(
      'spec.size in body should be less than or equal to 9',
    );
    await expect(kubectl('apply -f -', thing('3, more: 1'))).rejects.toThrow('unknown field "spec.more"');
    expect(await kubectl('api-resources')).toMatch(
      /\nnodes +no +v1 +false +Node\n(?:.|\n)*\ndeployments +deploy +apps\/v1 +true +Deployment\n/,
    );
    expect(await kubectl('api-resources --api-group=example.com')).toMatch(/things +th +example.com\/v1 +false +Thing/);
    await kubectl('delete crd things.example.com --timeout=20s');
    await expect(kubectl('get things')).rejects.toThrow('could not find the requested resource');
  });

  test('identity, access and tokens', async () => {
    expect(await kubectl('auth whoami -o jsonpath={.status.userInfo.username}')).toBe(
      'system:serviceaccount:kube-system:admin',
    );
    expect(await kubectl('auth can-i create pods')).toBe('yes\n');
    const token = (await kubectl('create token default')).trim();
    expect(await kubectl(`auth whoami --token=${token} -o jsonpath={.status.userInfo.username}`)).toBe(
      'system:serviceaccount:default:default',
    );
    await expect(kubectl('get pods --token=wrong')).rejects.toThrow(/Unauthorized|logged in/);
  });
});
