import type { Node, NodeCondition } from './types/core.ts';
import { lastAppliedAnnotation } from './types/well-known.ts';

type NodeInfo = NonNullable<NonNullable<Node['status']>['nodeInfo']>;

/** What a program reads of nodes besides their metadata and provider id. */
export interface NodeParts {
  /** All but the copy that kubectl keeps for itself. Default: none. */
  readonly annotations?: boolean;
  readonly taints?: boolean;
  readonly addresses?: boolean;
  /** Types of conditions. Their times, which every heartbeat changes, are never kept. */
  readonly conditions?: readonly string[];
  readonly nodeInfo?: readonly (keyof NodeInfo)[];
}

// The words of a healthy node are of no use to anybody.
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

/** For informers: ten thousand nodes stay small when only what is read of them is kept. */
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
