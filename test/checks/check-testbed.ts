import { aborted } from '@vdo/base/async/aborted';
import { type HttpResponse, httpResponse, readBody } from '@vdo/base/http';
import { HttpFailure, type HttpFailureKind } from '@vdo/base/http-failure';
import { silentLogger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import { type CheckGroup, type CheckOutcome, checkGroups } from '@vdo/checks/check';
import type { ClusterFacts, ReleaseFacts } from '@vdo/checks/facts';
import type { Support } from '@vdo/checks/facts/vcenter-facts';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import {
  type VSphereDriversSpec,
  type VSphereDriversSpecInput,
  vsphereDriversSpec,
} from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData, readAccount } from '@vdo/config/credentials';
import { type VCenterProduct, vcenterVersionOf } from '@vdo/config/product-version';
import type { GatherDeps } from '@vdo/gather/gather-deps';
import { gatherFacts } from '@vdo/gather/gather-facts';
import { secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { compareToRange } from '@vdo/releases/versions';
import { createSimWorld } from '@vdo/sim-world/create-sim-world';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { createLoginGuard } from '@vdo/vsphere/session/login-guard';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { withPodSecurity } from './pod-security.ts';
import { account, homes, namespace, server, testbedModel, testbedSpec } from './testbed-model.ts';
import { deployment, fillCluster } from './testbed-objects.ts';

const dayMs = 24 * 3_600_000;
const noTls = { tls: { thumbprints: [] as readonly string[], insecure: false, caBundle: undefined } };

const supportIn =
  (range: { readonly min: string; readonly max: string }) =>
  (product: { readonly version: string; readonly apiVersion: string }): Support => ({
    ...range,
    verdict: compareToRange(vcenterVersionOf(product), range),
  });

const garbled = async ({ status, headers, body }: HttpResponse, garble: (reply: string) => string) =>
  httpResponse(status, garble((await readBody(body)).toString('utf8')), headers);

export interface TestbedOptions {
  readonly model?: VSphereModel;
  readonly spec?: VSphereDriversSpecInput;
  /** Default true: nodes, drivers, volumes as in a healthy cluster. */
  readonly filled?: boolean;
}

/** A simulated cluster and vCenter with which everything is right, and hands to break and repair it. */
export const createCheckTestbed = async (options: TestbedOptions = {}) => {
  const security = { enforced: false };
  const asked = new Set<string>();
  const sims = createSimWorld({
    seed: 5,
    models: { [server]: options.model ?? testbedModel() },
    vsphere: { maxRetrieveObjects: 2500 },
    controllers: false,
    wire: (to, transport) => {
      const secured = to === 'kube' ? withPodSecurity(transport, security) : transport;
      return async (request) => {
        if (to === 'kube') asked.add(`${request.method} ${request.path.replace(/\?.*$/, '')}`);
        const broken = to === 'vcenter' ? failure() : undefined;
        if (broken) throw broken;
        if (to === 'vcenter' && world.impostor !== undefined)
          return httpResponse(200, world.impostor, { 'content-type': 'text/html' });
        const reply = await secured(request);
        return to === 'vcenter' && world.garble ? garbled(reply, world.garble) : reply;
      };
    },
  });
  const { clock } = sims;
  const { built } = sims.start('checks', (parts) => ({ ...parts, run: aborted }));
  const { kube } = built;
  const vsphere = sims.vc();
  const loginGuard = createLoginGuard({ clock, logger: silentLogger });
  const spec = vsphereDriversSpec.parse(options.spec ?? testbedSpec());
  const { distribution } = spec;
  const home = homes[distribution];

  /** What lies between: tests change it. */
  const world = {
    spec,
    network: undefined as HttpFailureKind | undefined,
    /** The vSphere range of the chosen releases. */
    vsphere: { min: '6.7.3', max: '9.0' },
    /** What the vCenter says it is, instead of the truth. */
    product: undefined as VCenterProduct | undefined,
    /** What becomes of the words of the vCenter. */
    garble: undefined as ((reply: string) => string) | undefined,
    /** What answers instead of the vCenter. */
    impostor: undefined as string | undefined,
    certificate: {
      subject: server,
      sha256: 'AA:'.repeat(31).concat('AA'),
      validToMs: clock.now() + 400 * dayMs,
      trusted: true,
    },
    clusterDns: new Map([[server, ['10.10.0.2']]]),
    planned: [deployment('vsphere-csi-controller', { driver: 'csi', where: home.csi })] as AnyObject[],
    releases: {
      drivers: [
        {
          kind: 'CPI',
          distribution,
          version: '1.0.0',
          installed: true,
          kubernetes: { min: '1.28', max: '1.37', verdict: 'inside' },
        },
        {
          kind: 'CSI',
          distribution,
          version: '1.0.0',
          installed: true,
          kubernetes: { min: '1.28', max: '1.37', verdict: 'inside' },
        },
      ],
      matrix: { serial: 7, source: 'the operator image', publishedMs: clock.now() - 10 * dayMs, signature: 'embedded' },
    } as ReleaseFacts,
  };

  const failure = (): HttpFailure | undefined => {
    const { tls } = world.spec.vcenters[0] ?? spec.vcenters[0] ?? noTls;
    const { sha256, subject, trusted } = world.certificate;
    const presented = { sha1: '', sha256, subject };
    if (world.network) return new HttpFailure(world.network, 'the network of the test bed');
    if (tls.insecure) return undefined;
    if (tls.thumbprints.length > 0)
      return tls.thumbprints.includes(sha256)
        ? undefined
        : new HttpFailure('thumbprint-mismatch', 'another certificate', { presented });
    return trusted || tls.caBundle
      ? undefined
      : new HttpFailure('tls-untrusted', 'self-signed certificate', { presented });
  };

  const connect = (
    credentials: () => Promise<{ username: string; password: string; version: string }>,
    userAgent = 'vdo',
  ): FullVCenter => built.connect({ ...built, server, credentials, loginGuard, userAgent });

  const vcenter = connect(async () => {
    const name = world.spec.vcenters[0]?.credentialsSecret ?? '';
    const secret = await kube.find(secrets, { namespace, name });
    if (!secret) throw new VdoError({ code: 'SecretMissing', message: 'no Secret', remedy: 'Create it.' });
    return {
      ...readAccount({ data: decodeSecretData(secret.data), server, source: name }),
      version: secret.metadata.resourceVersion ?? '',
    };
  });
  const admin = connect(async () => ({
    username: 'administrator@vsphere.local',
    password: 'obviously-fake',
    version: '1',
  }));

  /** Another program that opens a session with the same account again and again. */
  const openSessions = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await connect(async () => ({ ...account, version: '1' }), 'forgetful').login();
  };

  const deps = (): GatherDeps => ({
    kube,
    spec: world.spec,
    namespace,
    vcenters: world.spec.vcenters.map((one) => ({ spec: one, vcenter })),
    releases: world.releases,
    vsphereSupport: supportIn(world.vsphere),
    clock,
    probes: {
      certificate: async () => world.certificate,
      lookUp: async (name) => {
        const found = world.clusterDns.get(name);
        if (!found)
          throw new VdoError({ code: 'VCenterNameUnresolved', message: `${name}: NXDOMAIN`, remedy: 'Add it.' });
        return found;
      },
    },
    ...(world.planned.length > 0 ? { planned: world.planned } : {}),
  });

  const enforcePodSecurity = (): void => {
    security.enforced = true;
  };

  /** Moves the clock until the work is done: tasks of the vCenter take time. */
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    let done = false;
    const watched = work.finally(() => {
      done = true;
    });
    watched.catch(() => undefined);
    for (let step = 0; !done && step < 2_000; step++) await clock.advance(10);
    return watched;
  };

  const gather = (groups: readonly CheckGroup[] = checkGroups, more: Partial<GatherDeps> = {}): Promise<ClusterFacts> =>
    gatherFacts({ ...deps(), ...more }, { groups }, { signal: new AbortController().signal });
  const outcomes = async (groups: readonly CheckGroup[] = checkGroups): Promise<readonly CheckOutcome[]> => {
    const facts = await settle(gather(groups));
    const vcenters = facts.vcenters.map((one) =>
      one.about && world.product ? { ...one, about: { ...one.about, ...world.product } } : one,
    );
    return runChecks(checksOf(allChecks, groups), { ...facts, vcenters });
  };

  const testbed = {
    clock,
    kube,
    kubeSim: sims.kubeSim(),
    vsphere,
    vcenter,
    admin,
    world,
    deps,
    settle,
    home,
    openSessions,
    gather,
    outcomes,
    asked,
    enforcePodSecurity,
  };
  if (options.filled !== false) await fillCluster(testbed);
  return testbed;
};

export type CheckTestbed = Awaited<ReturnType<typeof createCheckTestbed>>;

/** Changes the spec as a merge patch on the resource would. */
export const patchSpec = (
  testbed: Pick<CheckTestbed, 'world'>,
  change: (spec: VSphereDriversSpec) => unknown,
): void => {
  testbed.world.spec = vsphereDriversSpec.parse(change(structuredClone(testbed.world.spec)));
};
