import { refKey, refOf } from '@vdo/kube/apply/object-ref';
import type { AnyObject } from '@vdo/kube/types/object';
import type { DriverKind } from '@vdo/releases/matrix';
import type { ReleaseName } from '@vdo/releases/release-history';
import { sameRelease } from '@vdo/releases/release-history';
import { driverLabel } from '@vdo/releases/render/shared/labels';
import { type Component, type ComponentObservation, componentOrder } from '../../observation.ts';

const workloadKinds = ['Deployment', 'DaemonSet', 'StatefulSet'];

/** Which component a rendered workload belongs to; undefined for everything else. */
const componentOf = ({ kind, metadata }: AnyObject): Component | undefined => {
  if (!workloadKinds.includes(kind)) return undefined;
  const driver = metadata.labels?.[driverLabel];
  if (driver === 'cpi') return 'cpi';
  if (driver !== 'csi') return undefined;
  return kind === 'DaemonSet' ? 'csi-node' : 'csi-controller';
};

export interface ComposeInput {
  /** The objects with each driver at the release it is brought to. */
  readonly next: readonly AnyObject[];
  /** The objects with each driver at the release that runs; of a driver without one there is nothing here. */
  readonly previous: readonly AnyObject[];
  readonly targets: Readonly<Partial<Record<DriverKind, ReleaseName>>>;
  readonly running: readonly ComponentObservation[];
}

/**
 * The components that get their new release in this pass: the first that is not there yet and those before it. The next
 * one follows when every pod of its predecessor is ready. What does not exist needs no order.
 */
export const movingComponents = ({
  previous,
  targets,
  running,
}: Omit<ComposeInput, 'next'>): ReadonlySet<Component> => {
  const moving = new Set<Component>();
  let gateOpen = true;
  for (const component of componentOrder) {
    const target = targets[component === 'cpi' ? 'cpi' : 'csi'];
    const own = running.filter((one) => one.component === component);
    if (!target) continue;
    const isAt = ({ version, distribution }: ComponentObservation): boolean =>
      version !== undefined && sameRelease(target, { version, distribution });
    // What is ours and cannot be built as it runs would be pruned if it were left out.
    const mustMove = own.some(({ ours }) => ours) && !previous.some((object) => componentOf(object) === component);
    if (gateOpen || own.length === 0 || own.some(isAt) || mustMove) moving.add(component);
    if (own.length > 0 && !own.every((one) => isAt(one) && one.settled)) gateOpen = false;
  }
  return moving;
};

/** Of several objects of one name the first. */
export const onceEach = (objects: readonly AnyObject[]): readonly AnyObject[] => {
  const first = new Map<string, AnyObject>();
  for (const object of objects) {
    const key = refKey(refOf(object));
    if (!first.has(key)) first.set(key, object);
  }
  return [...first.values()];
};

/** What is applied in this pass: new workloads as far as the gates are open, and of the rest what runs already. */
export const composeObjects = (input: ComposeInput): readonly AnyObject[] => {
  const moving = movingComponents(input);
  const isHeld = (object: AnyObject): boolean => {
    const component = componentOf(object);
    return component !== undefined && !moving.has(component);
  };
  const held = input.next.some(isHeld);
  const chosen = [
    ...input.next.filter((object) => !isHeld(object)),
    // Old pods still need their accounts, roles and configuration.
    ...(held ? input.previous.filter((object) => componentOf(object) === undefined || isHeld(object)) : []),
  ];
  return onceEach(chosen);
};
