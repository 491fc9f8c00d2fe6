import type { ObjectRef } from '../rows/attention-row.ts';

/** An address is a path of names after the hash, and a query of filters: `#/volumes?show=problems&q=shop`. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export const parseRoute = (hash: string): Route => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts.map(decode), query: new URLSearchParams(query) };
};

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export const address = (path: readonly string[], query: Readonly<Record<string, string>> = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const filters = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${filters === '' ? '' : `?${filters}`}`;
};

/** Keys that hold a slash are two parts of an address. */
const splitKey = (key: string): readonly string[] => {
  const at = key.indexOf('/');
  return at < 0 ? [key] : [key.slice(0, at), key.slice(at + 1)];
};

export const addressOf = {
  node: (name: string) => address(['node', name]),
  host: (key: string) => address(['host', ...splitKey(key)]),
  vcenter: (name: string) => address(['vcenter', name]),
  /** Key of a row: `volume/pv-1`, `claim/shop/data`, `orphan/vc1/id`. */
  volume: (key: string) => {
    const [kind = '', rest = ''] = splitKey(key);
    return address([kind, ...(kind === 'volume' ? [rest] : splitKey(rest))]);
  },
  claim: (key: string) => address(['claim', ...splitKey(key)]),
  pod: (namespace: string, name: string) => address(['pod', namespace, name]),
  datastore: (key: string) => address(['datastore', ...splitKey(key)]),
  policy: (key: string) => address(['policy', key]),
  check: (id: string) => address(['check', ...splitKey(id)]),
  cause: (key: string) => address(['cause', key]),
};

/** The page of an object that a check or an event names; undefined if it has none. */
export const addressOfObject = ({ kind, name, namespace }: ObjectRef): string | undefined => {
  switch (kind) {
    case 'Node':
      return addressOf.node(name);
    case 'VCenter':
      return addressOf.vcenter(name);
    case 'PersistentVolume':
      return addressOf.volume(`volume/${name}`);
    case 'PersistentVolumeClaim':
      return addressOf.claim(`${namespace ?? ''}/${name}`);
    case 'Pod':
      return addressOf.pod(namespace ?? '', name);
    // Checks name these without their vCenter.
    case 'Host':
    case 'Datastore':
    case 'StorageClass':
    case 'StoragePolicy':
      return address(['search', name]);
    default:
      return undefined;
  }
};
