import type { Node, NodeCondition } from './types/core.ts';
import { lastAppliedAnnotation } from './types/well-known.ts';

type NodeInfo = NonNullable<NonNullable<Node['status']>['nodeInfo']>;

/** The fields of nodes that a program reads, besides metadata and provider ID. */
export interface NodeParts {
  /** All annotations except the copy that kubectl stores for itself. Default: none. */
  readonly annotations?: boolean;
  readonly taints?: boolean;
  readonly addresses?: boolean;
  /** Types of conditions. Their times, which change with every heartbeat, are never stored. */
  readonly conditions?: readonly string[];
  readonly nodeInfo?: readonly (keyof NodeInfo)[];
}

// The messages of a healthy node are never used.
const trimCondition = ({ type, status, message }: NodeCondition): NodeCondition => ({
  type,
  status,
  ...(type === 'Ready' && status !== 'True' && message ? { message } : {}),
});

const trimInfo = (info: NodeInfo, fields: readonly (keyof NodeInfo)[]): NodeInfo =>
  Object.fromEntries(fields.flatMap((field) => (info[field] ? [[field, info[field]]] : [])));

const trimMetadata = (
  { annotations, managedFields: _, ...metadata }: Node['metadata'],
  keep: NodeParts,
): Node['metadata'] => {
  if (!keep.annotations || !annotations) return metadata;
  const { [lastAppliedAnnotation]: _written, ...others } = annotations;
  return { ...metadata, annotations: others };
};

/** For informers: the memory for ten thousand nodes stays small if only the used fields are stored. */
export const createNodeTrimmer =
  (keep: NodeParts) =>
  ({ apiVersion, kind, metadata, spec, status = {} }: Node): Node => ({
    apiVersion,
    kind,
    metadata: trimMetadata(metadata, keep),
    spec: {
      ...(spec.providerID ? { providerID: spec.providerID } : {}),
      ...(keep.taints && spec.taints ? { taints: spec.taints } : {}),
    },
    status: {
      ...(keep.addresses && status.addresses ? { addresses: status.addresses } : {}),
      ...(keep.conditions && status.conditions
        ? { conditions: status.conditions.filter(({ type }) => keep.conditions?.includes(type)).map(trimCondition) }
        : {}),
      ...(keep.nodeInfo && status.nodeInfo ? { nodeInfo: trimInfo(status.nodeInfo, keep.nodeInfo) } : {}),
    },
  });
