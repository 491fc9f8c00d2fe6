import { attempt, type Reading, valueIn } from '@vdo/checks/facts/reading';
import type { PlaceFacts, Support } from '@vdo/checks/facts/vcenter-facts';
import type { HostHealth, ScsiSlots, VmHealth } from '@vdo/vsphere/health/health-reader';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { GatherDeps, HealthVCenter } from './gather-deps.ts';

const unique = (refs: readonly (MoRef | undefined)[]): readonly MoRef[] => [
  ...new Map(refs.flatMap((ref) => (ref ? [[morefKey(ref), ref] as const] : []))).values(),
];

/** ESXi versions and controllers change rarely: stored values are read again each hour. */
const maxAgeMs = 55 * 60_000;

const readHosts = async (
  { memory, clock }: GatherDeps,
  vcenter: HealthVCenter,
  refs: readonly MoRef[],
  options: { readonly fresh: boolean; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, HostHealth>> => {
  const known = memory?.hosts.get(vcenter.server);
  const isCurrent =
    known && clock.monotonicMs() - known.atMs < maxAgeMs && refs.every((ref) => known.value.has(morefKey(ref)));
  if (isCurrent && !options.fresh) {
    const wanted = new Set(refs.map(morefKey));
    return new Map([...known.value].filter(([key]) => wanted.has(key)));
  }
  const value = await vcenter.health.hosts(refs, { signal: options.signal });
  memory?.hosts.set(vcenter.server, { value, atMs: clock.monotonicMs() });
  return value;
};

/** Hosts of the node VMs, and if requested their datastores: two calls. */
export const readPlaces = (
  deps: GatherDeps,
  vcenter: HealthVCenter,
  vms: readonly VmHealth[],
  options: { readonly datastores: boolean; readonly signal: AbortSignal },
): Promise<Reading<PlaceFacts>> =>
  attempt(async () => {
    const { signal } = options;
    const refs = unique(vms.map(({ host }) => host));
    const hosts = await readHosts(deps, vcenter, refs, { fresh: options.datastores, signal });
    const support = new Map<string, Support>();
    for (const [key, { version, apiVersion }] of hosts)
      if (deps.vsphereSupport && version !== '') support.set(key, deps.vsphereSupport({ version, apiVersion }));
    if (!options.datastores) return { hosts, support };
    const mounted = unique([...hosts.values()].flatMap(({ datastores }) => datastores));
    const datastores = [...(await vcenter.health.datastores(mounted, { signal })).values()];
    return { hosts, support, datastores };
  }, options.signal);

/** Controllers and disks of each VM, by server and `morefKey`. */
export const readSlots = async (
  deps: GatherDeps,
  vcenter: HealthVCenter,
  vms: readonly VmHealth[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ScsiSlots>> => {
  const { memory, clock } = deps;
  const keyOf = ({ ref }: VmHealth): string => `${vcenter.server} ${morefKey(ref)}`;
  const fresh = new Map(
    vms.flatMap((vm) => {
      const known = memory?.slots.get(keyOf(vm));
      return known && clock.monotonicMs() - known.atMs < maxAgeMs ? [[keyOf(vm), known.value] as const] : [];
    }),
  );
  const stale = vms.filter((vm) => !fresh.has(keyOf(vm)));
  const there = new Set(vms.map(keyOf));
  for (const key of memory?.slots.keys() ?? [])
    if (key.startsWith(`${vcenter.server} `) && !there.has(key)) memory?.slots.delete(key);
  if (stale.length === 0) return fresh;
  const read = valueIn(
    await attempt(
      () =>
        vcenter.health.slots(
          stale.map(({ ref }) => ref),
          { signal },
        ),
      signal,
    ),
  );
  for (const vm of stale) {
    const value = read?.get(morefKey(vm.ref));
    if (!value) continue;
    fresh.set(keyOf(vm), value);
    memory?.slots.set(keyOf(vm), { value, atMs: clock.monotonicMs() });
  }
  return fresh;
};
