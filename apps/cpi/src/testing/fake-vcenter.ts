import { aborted } from '@vdo/base/async/aborted';
import { uuidOrders } from '@vdo/base/uuid';
import { VdoError } from '@vdo/base/vdo-error';
import type { NodeQuery, NodeResolution, VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import type { Existence } from '@vdo/vsphere/inventory/vm-existence';
import type { VCenter } from '@vdo/vsphere/vcenter';

/** A vCenter that holds VMs in memory, as far as the CPI asks for them. */
export interface FakeVCenter {
  readonly vcenter: VCenter;
  /** Method names in the order called. */
  readonly calls: string[];
  /** What was looked for. */
  readonly queries: NodeQuery[];
  /** Adds or replaces a VM; the watch reports it. */
  put(vm: VmFacts): void;
  remove(vm: VmFacts): void;
  /** Tags by host reference value: `{ zone: 'z1' }`. */
  readonly tags: Map<string, Readonly<Record<string, string>>>;
  /** While set, every call fails with it. */
  failure: VdoError | undefined;
  /** What is said of a VM that is not found. */
  existence: Existence;
  closed: boolean;
}

export const unreachable = (server: string): VdoError =>
  new VdoError({ code: 'VCenterUnreachable', message: `${server} does not answer`, remedy: 'Wait.' });

const matches = (vm: VmFacts, query: NodeQuery): boolean =>
  query.uuid !== undefined
    ? uuidOrders(query.uuid).includes(vm.uuid)
    : (query.names ?? []).includes(vm.hostName ?? '') ||
      vm.nics.some(({ ips }) => ips.some((ip) => query.ips?.includes(ip)));

const unused = (): never => {
  throw new Error('the CPI does not use this');
};

export const createFakeVCenter = (server = 'vc.example.com'): FakeVCenter => {
  const vms = new Map<string, VmFacts>();
  const watched = new Set<string>();
  const listeners = new Set<(vm: VmFacts) => void>();
  const called = async (method: string) => {
    fake.calls.push(method);
    if (fake.failure) throw fake.failure;
  };

  const answer = (query: NodeQuery): NodeResolution => {
    const found = [...vms.values()].filter((vm) => matches(vm, query));
    const [vm, ...others] = found;
    if (!vm) return { state: 'not-found', searched: 'all datacenters' };
    if (others.length > 0) return { state: 'ambiguous', by: 'UUID', candidates: found.map(({ name }) => name) };
    watched.add(vm.ref.value);
    return { state: 'found', vm };
  };

  const vcenter: VCenter = {
    server,
    about: unused,
    login: () => called('login'),
    datacenters: { find: unused, all: unused },
    nodes: {
      resolve: async (queries) => {
        fake.queries.push(...queries);
        await called('resolve');
        return new Map(queries.map((query) => [query.key, answer(query)]));
      },
      get: (ref) => (watched.has(ref.value) ? vms.get(ref.value) : undefined),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      run: aborted,
    },
    existence: {
      prove: async (given) => {
        await called('prove');
        return given.map(() => fake.existence);
      },
    },
    topology: {
      locate: async (given) => {
        await called('locate');
        return new Map(given.map((vm) => [vm.ref.value, fake.tags.get(vm.host?.value ?? '') ?? {}]));
      },
    },
    placement: { sharedDatastores: unused },
    get cns(): VCenter['cns'] {
      return unused();
    },
    close: async () => {
      fake.closed = true;
    },
  };

  const fake: FakeVCenter = {
    vcenter,
    calls: [],
    queries: [],
    tags: new Map(),
    failure: undefined,
    existence: { state: 'gone' },
    closed: false,
    put: (vm) => {
      vms.set(vm.ref.value, vm);
      if (watched.has(vm.ref.value)) for (const listener of listeners) listener(vm);
    },
    remove: (vm) => {
      vms.delete(vm.ref.value);
    },
  };
  return fake;
};
