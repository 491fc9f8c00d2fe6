import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { RoleBinding } from '@vdo/kube/types/cluster';
import type { AnyObject, KubeObject } from '@vdo/kube/types/object';
import { loadEmbeddedMatrix } from '../../embedded-matrix.ts';
import type { Distribution, Release } from '../../matrix.ts';
import { renderDrivers } from '../render-drivers.ts';
import { retiredBindings } from '../roles/retired-rights.ts';

const server = 'vcenter.invalid';

const specOf = (distribution: Distribution, sidecars: 'Integrated' | 'Upstream') =>
  vsphereDriversSpec.parse({
    distribution,
    vcenters: [{ server, credentialsSecret: 'vcenter', datacenters: ['dc'] }],
    cpi: {},
    csi: { clusterId: 'any', sidecars, inTreeMigration: true, snapshots: { install: true } },
    topology: { zone: 'zone', region: 'region' },
    images: { registry: 'registry.invalid' },
  });

type Pair = { readonly cpi?: Release; readonly csi?: Release };

/** Every release of both drivers, in as few pairs as possible. */
const pairsOf = (distribution: Distribution): readonly Pair[] => {
  const all = loadEmbeddedMatrix().releases.filter((release) => release.distribution === distribution);
  const of = (driver: Release['driver']) => all.filter((release) => release.driver === driver);
  const [cpis, csis] = [of('cpi'), of('csi')];
  return Array.from({ length: Math.max(cpis.length, csis.length) }, (_, index) => {
    const [cpi, csi] = [cpis[index], csis[index]];
    return { ...(cpi ? { cpi } : {}), ...(csi ? { csi } : {}) };
  });
};

const everything = (): readonly AnyObject[] =>
  (['Native', 'Upstream'] as const).flatMap((distribution) =>
    pairsOf(distribution).flatMap((releases) =>
      (distribution === 'Native' ? (['Integrated', 'Upstream'] as const) : (['Integrated'] as const)).flatMap(
        (sidecars) =>
          renderDrivers({
            spec: specOf(distribution, sidecars),
            releases,
            accounts: [{ server, username: '', password: '' }],
            openShift: true,
          }),
      ),
    ),
  );

const isBinding = (object: KubeObject): object is RoleBinding =>
  object.kind === 'RoleBinding' || object.kind === 'ClusterRoleBinding';

export interface DriverRights {
  /** `namespace/binding namespace/account`. */
  readonly bound: readonly string[];
  /** `namespace/account` of the accounts of the drivers' pods. */
  readonly accounts: readonly string[];
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

/** All permissions that any release of any layout may get, whatever the resource requests. */
export const driverRights = (): DriverRights => {
  const objects: readonly KubeObject[] = everything();
  const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name}`;
  return {
    bound: unique([
      ...objects
        .filter(isBinding)
        .flatMap((binding) =>
          (binding.subjects ?? []).map((subject) => `${keyOf(binding)} ${subject.namespace ?? ''}/${subject.name}`),
        ),
      // An operator of v0.1.0 that is installed again binds these again.
      ...retiredBindings.map(({ namespace = '', name, account }) => `${namespace}/${name} ${account}`),
    ]),
    accounts: unique(objects.filter(({ kind }) => kind === 'ServiceAccount').map(keyOf)),
  };
};
