import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { HealthVCenter } from '@vdo/gather/gather-deps';
import type { Login } from './proven-accounts.ts';

/** A client of a vCenter, with what the checks read. */
export interface PooledVCenter extends HealthVCenter {
  close(): Promise<void>;
}

/** Builds a client for one vCenter of the spec, which reads its credentials at each login. */
export type VCenterFactory = (spec: VCenterSpec, login: Login) => PooledVCenter;

/** Keeps one connection per vCenter across reconciles: one session each, never a login per reconcile. */
export interface VCenterPool {
  /** The clients for exactly these vCenters, in order; those no longer wanted are logged out. */
  use(specs: readonly VCenterSpec[]): Promise<readonly PooledVCenter[]>;
  close(): Promise<void>;
}

/** A changed Secret makes a new client: what it holds is tried at once, and the session of the former account ends. */
export const createVCenterPool = (
  create: (spec: VCenterSpec) => PooledVCenter,
  secretVersion: (name: string) => string = () => '',
): VCenterPool => {
  const identityOf = ({ server, port, credentialsSecret, tls }: VCenterSpec): string =>
    JSON.stringify([server, port, credentialsSecret, secretVersion(credentialsSecret), tls]);
  const open = new Map<string, PooledVCenter>();
  const closeExcept = async (wanted: ReadonlySet<string>) => {
    const unwanted = [...open].filter(([identity]) => !wanted.has(identity));
    for (const [identity] of unwanted) open.delete(identity);
    await Promise.all(unwanted.map(([, vcenter]) => vcenter.close()));
  };
  const obtain = (spec: VCenterSpec): PooledVCenter => {
    const identity = identityOf(spec);
    const vcenter = open.get(identity) ?? create(spec);
    open.set(identity, vcenter);
    return vcenter;
  };
  return {
    use: async (specs) => {
      await closeExcept(new Set(specs.map(identityOf)));
      return specs.map(obtain);
    },
    close: () => closeExcept(new Set()),
  };
};
