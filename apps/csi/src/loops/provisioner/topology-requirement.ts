import { createHash } from 'node:crypto';
import { VdoError } from '@vdo/base/vdo-error';
import type { Node } from '@vdo/kube/types/core';
import type { CsiNode, StorageClass } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import { describeSegments, type Segments, within } from '../../placement/segments.ts';

export interface TopologyInput {
  readonly claimName: string;
  readonly storageClass: StorageClass;
  /** Set by the scheduler for WaitForFirstConsumer. */
  readonly selectedNode?: string;
  readonly nodes: readonly Node[];
  readonly csiNodes: readonly CsiNode[];
}

const waiting = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'VolumeNoDatastore', message, remedy });

const keysOf = (csiNode: CsiNode | undefined): readonly string[] =>
  csiNode?.spec.drivers?.find(({ name }) => name === driverName)?.topologyKeys ?? [];

const placeOf = (node: Node | undefined, keys: readonly string[]): Segments | undefined => {
  const labels = node?.metadata.labels ?? {};
  if (keys.length === 0 || keys.some((key) => labels[key] === undefined)) return undefined;
  return Object.fromEntries(keys.map((key) => [key, labels[key] ?? '']));
};

const keyOfPlace = (place: Segments): string => JSON.stringify(Object.entries(place).sort());

const distinct = (places: readonly Segments[]): readonly Segments[] =>
  [...new Map(places.map((place) => [keyOfPlace(place), place])).entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, place]) => place);

/** Each term allows combinations of its values: zone in [a, b] and rack in [1] are two places. */
const allowedPlaces = (storageClass: StorageClass): readonly Segments[] =>
  (storageClass.allowedTopologies ?? []).flatMap(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.reduce<readonly Segments[]>(
      (places, { key, values }) => places.flatMap((place) => values.map((value) => ({ ...place, [key]: value }))),
      [{}],
    ),
  );

// Claims of a StatefulSet end in an ordinal: neighbours go to neighbouring places, and so spread evenly.
const offsetOf = (claimName: string, places: number): number => {
  const [, base = claimName, ordinal = '0'] = /^(.*?)-(\d+)$/.exec(claimName) ?? [];
  const hash = createHash('sha256').update(base).digest().readUInt32BE();
  return (hash + Number(ordinal)) % places;
};

const ofSelectedNode = (name: string, input: TopologyInput, allowed: readonly Segments[]): readonly Segments[] => {
  const node = input.nodes.find(({ metadata }) => metadata.name === name);
  const keys = keysOf(input.csiNodes.find(({ metadata }) => metadata.name === name));
  const place = placeOf(node, keys);
  if (!place)
    throw waiting(
      `node ${name} was selected, but its place is not known: CSINode has the keys [${keys.join(', ')}], which the node's labels lack`,
      'Wait until the driver has registered on that node; check that its VM or host carries the tags of the topology categories.',
    );
  if (allowed.length > 0 && !allowed.some((one) => within(place, one)))
    throw waiting(
      `node ${name} in ${describeSegments(place)} is outside the allowedTopologies of StorageClass ${input.storageClass.metadata.name}`,
      'Widen allowedTopologies in a new StorageClass, or keep the pod off that node.',
    );
  return [place];
};

/** The places where nodes of this driver are, each once. */
export const inhabitedPlaces = (nodes: readonly Node[], csiNodes: readonly CsiNode[]): readonly Segments[] => {
  const byName = new Map(nodes.map((node) => [node.metadata.name, node]));
  return distinct(
    csiNodes.flatMap((csiNode) => {
      const place = placeOf(byName.get(csiNode.metadata.name), keysOf(csiNode));
      return place ? [place] : [];
    }),
  );
};

/**
 * Where a volume may be placed: at the selected node; else anywhere the class allows; else anywhere a node of this driver is,
 * beginning at a place that depends on the claim's name. Nowhere in particular as long as no node has told its place: then only a
 * datastore that all nodes share will do, and no place is recorded. Preferred places come first.
 */
export const decideTopology = (input: TopologyInput): readonly Segments[] => {
  const allowed = distinct(allowedPlaces(input.storageClass));
  if (input.selectedNode !== undefined) return ofSelectedNode(input.selectedNode, input, allowed);
  const places = allowed.length > 0 ? allowed : inhabitedPlaces(input.nodes, input.csiNodes);
  const offset = offsetOf(input.claimName, Math.max(1, places.length));
  return [...places.slice(offset), ...places.slice(0, offset)];
};
