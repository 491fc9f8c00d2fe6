import type { DatastoreRow, HostRow, NodeRow } from '../rows/place-rows.ts';
import { Entity, NotFound } from './entity.tsx';
import { size } from './format.ts';
import { DatastoreBar } from './map-parts.tsx';
import { clusterAddress, mapAddress } from './map-tree.ts';
import { Dot, Empty, Facts, Link, Meter, Section, Some } from './parts.tsx';
import { Trail, Volumes } from './place-parts.tsx';
import { byNeed, datastoreList, hostList, nodesByHost, volumeIndex } from './relations.ts';
import { address, addressOf } from './route.ts';
import { DatastoreLine } from './storage-pages.tsx';
import type { State } from './store.ts';

/** The cluster and the datacenter of a node or host. */
const above = ({ vcenter, datacenter, cluster }: Pick<NodeRow, 'vcenter' | 'datacenter' | 'cluster'>) =>
  [
    [
      'Cluster',
      vcenter === undefined || !cluster ? (
        ''
      ) : (
        <Link href={clusterAddress({ vcenter, datacenter, cluster })}>{cluster}</Link>
      ),
    ],
    [
      'Datacenter',
      vcenter === undefined || datacenter === undefined ? (
        ''
      ) : (
        <Link href={mapAddress({ vcenter, datacenter })}>{datacenter}</Link>
      ),
    ],
  ] as const;

export const NodePage = ({ state, node }: { readonly state: State; readonly node: NodeRow | undefined }) => {
  if (!node) return <NotFound what="This node" />;
  const { name, slots, vcenter, host } = node;
  return (
    <Entity
      state={state}
      kind="Node"
      name={name}
      health={node.health}
      note={node.note}
      trail={<Trail {...node} />}
      objects={[`Node ${name}`]}
      commands={[`kubectl describe node ${name}`, 'vdoctl nodes', 'vdoctl doctor']}
      wide={<Volumes state={state} of={['byNode', name]} without="Attached to" />}
    >
      <Section title="Node and VM">
        <Facts
          facts={[
            ['VM', node.vm ?? ''],
            ['Host', host === undefined ? '' : <Link href={addressOf.host(`${vcenter}/${host}`)}>{host}</Link>],
            ...above(node),
            ['vCenter', vcenter === undefined ? '' : <Link href={addressOf.vcenter(vcenter)}>{vcenter}</Link>],
            ['Zone', [node.region, node.zone].filter(Boolean).join(' / ')],
            ['Addresses', node.ips.join(', ')],
            ['Kubelet', node.kubelet ?? ''],
            ['VM UUID', node.uuid === undefined ? '' : <span class="mono">{node.uuid}</span>],
            ['Node UID', node.uid === undefined ? '' : <span class="mono">{node.uid}</span>],
            [
              'Disk slots',
              slots ? (
                <>
                  {slots.used} of {slots.total} used{' '}
                  <Meter used={slots.used} total={slots.total} label="Disk slots used" />
                </>
              ) : (
                ''
              ),
            ],
          ]}
        />
      </Section>
    </Entity>
  );
};

const shownVolumes = 8;

/** A node on its host, with its pods that use volumes. */
const Guest = ({ state, node }: { readonly state: State; readonly node: NodeRow }) => {
  const { name, health, note, zone, slots } = node;
  const volumes = [...(volumeIndex(state).byNode.get(name) ?? [])].sort(byNeed);
  return (
    <article class={`guest ${health}`}>
      <h3>
        <Dot health={health} />
        <Link href={addressOf.node(name)}>{name}</Link>
        {zone === undefined ? '' : <span class="tag">{zone}</span>}
      </h3>
      {note === '' ? '' : <p class="note-text">{note}</p>}
      {slots ? (
        <p class="quiet">
          <Meter used={slots.used} total={slots.total} label="Disk slots used" /> {slots.used} of {slots.total} disk
          slots used
        </p>
      ) : (
        ''
      )}
      <Some
        items={volumes}
        limit={shownVolumes}
        more={addressOf.node(name)}
        of={(volume) => (
          <span class="using">
            <Dot health={volume.health} />
            <span>
              {volume.pods.map((pod) => (
                <span key={pod.name} class="pod">
                  <Link href={addressOf.pod(pod.namespace, pod.name)}>{pod.name}</Link>{' '}
                </span>
              ))}
              <Link href={addressOf.volume(volume.key)}>{volume.claim ?? volume.name}</Link>
            </span>{' '}
            <span class="quiet">{size(volume.size)}</span>
          </span>
        )}
      />
      {volumes.length === 0 ? <Empty>No volume is attached.</Empty> : ''}
    </article>
  );
};

const datastoresOn = (state: State, host: HostRow): readonly DatastoreRow[] =>
  datastoreList(state).filter(({ vcenter, hosts }) => vcenter === host.vcenter && hosts.includes(host.name));

export const HostPage = ({ state, host }: { readonly state: State; readonly host: HostRow | undefined }) => {
  if (!host) return <NotFound what="This host" />;
  const nodes = nodesByHost(state).get(host.key) ?? [];
  const { vcenter } = host;
  return (
    <Entity
      state={state}
      kind="Host"
      name={host.name}
      health={host.health}
      note={host.note}
      trail={<Trail {...host} />}
      objects={[`Host ${host.name}`]}
      commands={['vdoctl nodes']}
      wide={
        <Section title="Nodes and their pods with volumes" count={nodes.length} wide>
          <div class="guests">
            {nodes.map((node) => (
              <Guest key={node.key} state={state} node={node} />
            ))}
          </div>
        </Section>
      }
    >
      <Section title="Host">
        <Facts
          facts={[
            ['ESXi', host.version ?? ''],
            ...above(host),
            [
              'vCenter',
              <Link key="vcenter" href={addressOf.vcenter(vcenter)}>
                {vcenter}
              </Link>,
            ],
          ]}
        />
      </Section>
      <Section title="Datastores" count={datastoresOn(state, host).length}>
        <ul class="stores">
          {datastoresOn(state, host).map((one) => (
            <DatastoreBar key={one.key} state={state} datastore={one} />
          ))}
        </ul>
      </Section>
    </Entity>
  );
};

export const PodPage = ({ state, pod }: { readonly state: State; readonly pod: string }) => {
  const volumes = volumeIndex(state).byPod.get(pod) ?? [];
  const [namespace = '', name = ''] = pod.split('/');
  const fact = volumes[0]?.pods.find((one) => one.namespace === namespace && one.name === name);
  if (!fact) return <NotFound what={`Pod ${pod}`} />;
  const { node, phase } = fact;
  return (
    <Entity
      state={state}
      kind="Pod"
      name={pod}
      health={volumes.some(({ health }) => health === 'bad') ? 'bad' : 'good'}
      note=""
      trail={node === undefined ? '' : <Link href={addressOf.node(node)}>{node}</Link>}
      objects={[`Pod ${pod}`]}
      commands={[`kubectl describe pod --namespace ${namespace} ${name}`]}
      wide={<Volumes state={state} of={['byPod', pod]} without="Pod" />}
    >
      <Section title="Pod">
        <Facts
          facts={[
            ['Phase', phase],
            ['Node', node === undefined ? '' : <Link href={addressOf.node(node)}>{node}</Link>],
          ]}
        />
      </Section>
    </Entity>
  );
};

export const VCenterPage = ({ state, name }: { readonly state: State; readonly name: string }) => {
  const { summary } = state;
  const about = summary?.versions.vcenters?.find(({ server }) => server === name);
  const hosts = hostList(state).filter(({ vcenter }) => vcenter === name);
  const datastores = datastoreList(state).filter(({ vcenter }) => vcenter === name);
  const causes =
    summary?.attention.filter(({ objects }) => objects.some((one) => one.kind === 'VCenter' && one.name === name)) ??
    [];
  if (!about && hosts.length === 0 && !summary?.vcenters.includes(name)) return <NotFound what="This vCenter" />;
  return (
    <Entity
      state={state}
      kind="vCenter"
      name={name}
      health={causes.some(({ severity }) => severity === 'fail') ? 'bad' : 'good'}
      note=""
      objects={[`VCenter ${name}`]}
      commands={['vdoctl doctor', 'vdoctl vsphere sessions']}
    >
      <Section title="vCenter">
        <Facts
          facts={[
            ['Version', about?.version ?? 'unknown'],
            ['Build', about?.build ?? ''],
            [
              'Map',
              <Link key="map" href={mapAddress({ vcenter: name })}>
                clusters, hosts and nodes
              </Link>,
            ],
          ]}
        />
      </Section>
      <Section title="Hosts" count={hosts.length}>
        <Some
          items={hosts}
          limit={60}
          of={(host) => (
            <>
              <Dot health={host.health} />
              <Link href={addressOf.host(host.key)}>{host.name}</Link>{' '}
              <span class="quiet">{host.note || host.cluster}</span>
            </>
          )}
          more={address(['search', name])}
        />
      </Section>
      <Section title="Datastores" count={datastores.length}>
        <Some items={datastores} limit={60} of={(one) => <DatastoreLine datastore={one} />} />
      </Section>
    </Entity>
  );
};
