import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { HealthVCenter } from '@vdo/gather/gather-deps';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { Login } from './proven-accounts.ts';
import { type InventoryNews, watchInventory } from './watch-inventory.ts';

/** A client of a vCenter, including what the checks read. */
export interface OperatorVCenter extends HealthVCenter, Pick<FullVCenter, 'places'> {
  close(): Promise<void>;
}

/** A client that logs in with the account of its Secret, and the version of the Secret that it read. */
export interface OpenVCenter extends OperatorVCenter, Pick<Login, 'readVersion'> {}

export interface PooledVCenter extends OpenVCenter {
  /** Tests whether vCenter still accepts the account: logs in and out without touching the open session. */
  loginAnew(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** Builds a client for one vCenter of the spec, which reads its credentials at each login. */
export type VCenterFactory = (spec: VCenterSpec, login: Login) => OperatorVCenter;

/** Keeps one connection and one session per vCenter across reconciles, so that not every reconcile logs in. */
export interface VCenterPool {
  /**
   * The clients for exactly these vCenters, in order; those no longer wanted are logged out. `accounts` are vCenters with further accounts,
   * for which the inventory is not watched again.
   */
  use(
    specs: readonly VCenterSpec[],
    accounts: readonly VCenterSpec[],
  ): Promise<{ readonly vcenters: readonly PooledVCenter[]; readonly accounts: readonly PooledVCenter[] }>;
  /** Whether an account was read from another version of its Secret than the watch shows: one is stale, and the next `use` reads it again. */
  isBehind(): boolean;
  /** Starts or ends watching the node VMs of the open vCenters, their hosts and datastores. */
  watch(isWanted: boolean): void;
  close(): Promise<void>;
}

interface Open {
  readonly vcenter: PooledVCenter;
  readonly secret: string;
}

/** A changed Secret creates a new client: its account is tried at once, and the session of the old account ends. */
export const createVCenterPool = (
  create: (spec: VCenterSpec) => OpenVCenter,
  secretVersion: (name: string) => string,
  news: InventoryNews,
): VCenterPool => {
  const identityOf = ({ server, port, credentialsSecret, tls }: VCenterSpec): string =>
    JSON.stringify([server, port, credentialsSecret, secretVersion(credentialsSecret), tls]);
  const open = new Map<string, Open>();
  let watchable: ReadonlySet<PooledVCenter> = new Set();
  const watches = new Map<PooledVCenter, () => Promise<void>>();
  const endWatch = async (vcenter: PooledVCenter): Promise<void> => {
    const end = watches.get(vcenter);
    watches.delete(vcenter);
    await end?.();
  };
  const closing = new Set<Promise<void>>();
  // Only `close` waits for a logout: a vCenter that hangs would delay the pass.
  const farewell = (work: Promise<void>): void => {
    const closed = work.catch(() => {}).finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const closeExcept = (wanted: ReadonlySet<string>): void => {
    const unwanted = [...open].filter(([identity, one]) => !wanted.has(identity) || isBehind(one));
    for (const [identity, { vcenter }] of unwanted) {
      open.delete(identity);
      // Stop the watch before its session ends: it would log in again.
      farewell(endWatch(vcenter).then(() => vcenter.close()));
    }
  };
  const connect = (spec: VCenterSpec): PooledVCenter => ({
    ...create(spec),
    loginAnew: async (call) => {
      const other = create(spec);
      try {
        await other.login(call);
      } finally {
        farewell(other.close());
      }
    },
  });
  const isBehind = ({ vcenter, secret }: Open): boolean => {
    const [read, watched] = [vcenter.readVersion(), secretVersion(secret)];
    return read !== undefined && watched !== '' && read !== watched;
  };
  const obtain = (spec: VCenterSpec): PooledVCenter => {
    const identity = identityOf(spec);
    const one = open.get(identity) ?? { vcenter: connect(spec), secret: spec.credentialsSecret };
    open.set(identity, one);
    return one.vcenter;
  };
  return {
    use: async (specs, accounts) => {
      closeExcept(new Set([...specs, ...accounts].map(identityOf)));
      const vcenters = specs.map(obtain);
      watchable = new Set(vcenters);
      return { vcenters, accounts: accounts.map(obtain) };
    },
    isBehind: () => [...open.values()].some(isBehind),
    watch: (isWanted) => {
      for (const { vcenter } of open.values()) {
        if (!isWanted || !watchable.has(vcenter)) void endWatch(vcenter);
        else if (!watches.has(vcenter)) watches.set(vcenter, watchInventory(vcenter, news));
      }
    },
    close: async () => {
      closeExcept(new Set());
      await Promise.all(closing);
    },
  };
};
