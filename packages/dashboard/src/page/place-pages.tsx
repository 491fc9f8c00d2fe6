import type { DatastoreRow, HostRow, NodeRow, PolicyRow } from '../rows/place-rows.ts';
import { Entity, NotFound } from './entity.tsx';
import { size } from './format.ts';
import { Dot, Empty, Facts, Link, Meter, Section, Some } from './parts.tsx';
import { datastoreList, hostList, nodesByHost, policyList, volumeIndex } from './relations.ts';
import { address, addressOf } from './route.ts';
import type { State } from './store.ts';
import { datastoreName, VolumeTable, volumesTitle } from './volume-parts.tsx';

type Place = Pick<NodeRow, 'vcenter' | 'datacenter' | 'cluster' | 'host'>;

const Trail = ({ vcenter, datacenter, cluster, host }: Place) => (
  <>
    {vcenter === undefined ? '' : <Link href={addressOf.vcenter(vcenter)}>{vcenter}</Link>}
    {datacenter === undefined ? '' : <span>{datacenter}</span>}
    {cluster === undefined || cluster === '' ? '' : <span>{cluster}</span>}
    {host === undefined ? '' : <Link href={addressOf.host(`${vcenter}/${host}`)}>{host}</Link>}
  </>
);

const Volumes = ({
  state,
  of,
}: {
  readonly state: State;
  readonly of:
    | 'none'
    | readonly [keyof ReturnType<typeof volumeIndex> & ('byNode' | 'byDatastore' | 'byPolicy' | 'byPod'), string];
}) => {
  if (of === 'none') return null;
  const rows = volumeIndex(state)[of[0]].get(of[1]) ?? [];
  return (
    <Section title="Volumes" count={rows.length} wide>
      {rows.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <>
          <p class="quiet">{volumesTitle(rows)}</p>
          <VolumeTable rows={rows} label="Volumes" />
        </>
      )}
    </Section>
  );
};

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
    >
      <Section title="Node and VM">
        <Facts
          facts={[
            ['VM', node.vm ?? ''],
            ['Host', host === undefined ? '' : <Link href={addressOf.host(`${vcenter}/${host}`)}>{host}</Link>],
            ['Cluster', node.cluster ?? ''],
            ['Datacenter', node.datacenter ?? ''],
            ['vCenter', vcenter === undefined ? '' : <Link href={addressOf.vcenter(vcenter)}>{vcenter}</Link>],
            ['Zone', [node.region, node.zone].filter(Boolean).join(' / ')],
            ['Addresses', node.ips.join(', ')],
            ['Kubelet', node.kubelet ?? ''],
            ['UUID of the VM', node.uuid === undefined ? '' : <span class="mono">{node.uuid}</span>],
            ['uid', node.uid === undefined ? '' : <span class="mono">{node.uid}</span>],
            [
              'Places for disks',
              slots ? (
                <>
                  {slots.used} of {slots.total} taken{' '}
                  <Meter used={slots.used} total={slots.total} label="Places taken" />
                </>
              ) : (
                ''
              ),
            ],
          ]}
        />
      </Section>
      <Volumes state={state} of={['byNode', name]} />
    </Entity>
  );
};

const datastoresOn = (state: State, host: HostRow): readonly DatastoreRow[] =>
  datastoreList(state).filter(({ vcenter, hosts }) => vcenter === host.vcenter && hosts.includes(host.name));

export const HostPage = ({ state, host }: { readonly state: State; readonly host: HostRow | undefined }) => {
  if (!host) return <NotFound what="This host" />;
  const nodes = nodesByHost(state).get(host.key) ?? [];
  const { vcenter, datacenter, cluster } = host;
  const above = {
    vcenter,
    ...(datacenter === undefined ? {} : { datacenter }),
    ...(cluster === undefined ? {} : { cluster }),
  };
  return (
    <Entity
      state={state}
      kind="Host"
      name={host.name}
      health={host.health}
      note={host.note}
      trail={<Trail {...above} />}
      objects={[`Host ${host.name}`]}
      commands={['vdoctl nodes']}
    >
      <Section title="Host">
        <Facts
          facts={[
            ['ESXi', host.version ?? ''],
            ['Cluster', cluster ?? ''],
            ['Datacenter', datacenter ?? ''],
          ]}
        />
      </Section>
      <Section title="Nodes" count={nodes.length}>
        <Some
          items={nodes}
          limit={50}
          of={(node) => (
            <>
              <Dot health={node.health} />
              <Link href={addressOf.node(node.name)}>{node.name}</Link> <span class="quiet">{node.note}</span>
            </>
          )}
        />
      </Section>
      <Section title="Datastores" count={datastoresOn(state, host).length}>
        <Some items={datastoresOn(state, host)} limit={50} of={(one) => <Room datastore={one} />} />
      </Section>
    </Entity>
  );
};

/** A datastore in one line: how much of it is taken. */
export const Room = ({ datastore }: { readonly datastore: DatastoreRow }) => {
  const { key, name, capacity, free, health } = datastore;
  return (
    <span class="room">
      <Dot health={health} />
      <Link href={addressOf.datastore(key)}>{name}</Link>
      <Meter used={capacity - free} total={capacity} label={`${name}, room taken`} health={health} />
      <span class="quiet">{size(free)} free</span>
    </span>
  );
};

export const DatastorePage = ({
  state,
  datastore,
}: {
  readonly state: State;
  readonly datastore: DatastoreRow | undefined;
}) => {
  if (!datastore) return <NotFound what="This datastore" />;
  const { key, name, vcenter, capacity, free, hosts } = datastore;
  const policies = policyList(state).filter(({ datastores }) => datastores?.includes(key));
  return (
    <Entity
      state={state}
      kind="Datastore"
      name={name}
      health={datastore.health}
      note={datastore.note}
      trail={<Trail vcenter={vcenter} />}
      objects={[`Datastore ${name}`]}
      commands={['vdoctl doctor']}
    >
      <Section title="Room">
        <Meter used={capacity - free} total={capacity} label="Room taken" health={datastore.health} />
        <Facts
          facts={[
            ['Free', size(free)],
            ['Capacity', size(capacity)],
            ['Type', datastore.type],
            [
              'URL',
              <span class="mono" key="url">
                {datastore.url}
              </span>,
            ],
          ]}
        />
      </Section>
      <Section title="Storage policies" count={policies.length}>
        <Some
          items={policies}
          limit={20}
          of={(policy) => <Link href={addressOf.policy(policy.key)}>{policy.name}</Link>}
        />
      </Section>
      <Section title="Hosts of nodes that mount it" count={hosts.length}>
        <Some items={hosts} limit={20} of={(host) => <Link href={addressOf.host(`${vcenter}/${host}`)}>{host}</Link>} />
      </Section>
      <Volumes state={state} of={['byDatastore', key]} />
    </Entity>
  );
};

export const PolicyPage = ({ state, policy }: { readonly state: State; readonly policy: PolicyRow | undefined }) => {
  if (!policy) return <NotFound what="This policy" />;
  const { key, name, classes, datastores } = policy;
  return (
    <Entity
      state={state}
      kind="Storage policy"
      name={name}
      health={policy.health}
      note={policy.note}
      trail={<a href="#/storage">Storage</a>}
      objects={[`StoragePolicy ${name}`, ...classes.map((one) => `StorageClass ${one.name}`)]}
      commands={['vdoctl vsphere policies list']}
    >
      <Section title="StorageClasses" count={classes.length}>
        <Some items={classes} limit={50} of={(one) => `${one.name}${one.isDefault ? ' (default)' : ''}`} />
      </Section>
      <Section title="Datastores that satisfy it" count={datastores?.length}>
        {datastores === undefined ? (
          <Empty>{key === 'none' ? 'Any that the nodes share: these classes name no policy.' : 'Not known yet.'}</Empty>
        ) : (
          <Some
            items={datastores}
            limit={50}
            of={(one) => <Link href={addressOf.datastore(one)}>{datastoreName(one)}</Link>}
          />
        )}
      </Section>
      <Volumes state={state} of={['byPolicy', key]} />
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
    >
      <Section title="Pod">
        <Facts
          facts={[
            ['Phase', phase],
            ['Node', node === undefined ? '' : <Link href={addressOf.node(node)}>{node}</Link>],
          ]}
        />
      </Section>
      <Volumes state={state} of={['byPod', pod]} />
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
            ['Version', about?.version ?? 'not known'],
            ['Build', about?.build ?? ''],
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
        <Some items={datastores} limit={60} of={(one) => <Room datastore={one} />} />
      </Section>
    </Entity>
  );
};
