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
  /** The objects with each driver at its target release. */
  readonly next: readonly AnyObject[];
  /** The objects with each driver at its running release; a driver without one has no objects here. */
  readonly previous: readonly AnyObject[];
  readonly targets: Readonly<Partial<Record<DriverKind, ReleaseName>>>;
  readonly running: readonly ComponentObservation[];
}

/**
 * The components that get their new release in this pass: the first that has not reached it yet and those before it. The next
 * one follows when every pod of its predecessor is ready. Components that do not exist yet need no order.
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
    // Our objects whose running release cannot be rendered would be pruned if they were left out.
    const mustMove = own.some(({ ours }) => ours) && !previous.some((object) => componentOf(object) === component);
    if (gateOpen || own.length === 0 || own.some(isAt) || mustMove) moving.add(component);
    if (own.length > 0 && !own.every((one) => isAt(one) && one.settled)) gateOpen = false;
  }
  return moving;
};

/**
 * Components whose old workload keeps serving until the new one is ready, where the two are different objects, as at a switch of the
 * distribution: Leases ensure that only one acts. Node agents share a socket and cloud controller managers a host port, so they cannot overlap.
 */
const canOverlap: readonly Component[] = ['csi-controller'];

/** The changing components whose old workload must not be removed yet. */
export const lingeringComponents = ({
  targets,
  running,
}: Pick<ComposeInput, 'targets' | 'running'>): ReadonlySet<Component> =>
  new Set(
    canOverlap.filter((component) => {
      const target = targets[component === 'cpi' ? 'cpi' : 'csi'];
      const isAt = ({ version, distribution }: ComponentObservation): boolean =>
        target !== undefined && version !== undefined && sameRelease(target, { version, distribution });
      const own = running.filter((one) => one.component === component);
      return own.some((one) => !isAt(one)) && !own.some((one) => isAt(one) && one.settled);
    }),
  );

/** Keeps the first of several objects with the same name. */
export const onceEach = (objects: readonly AnyObject[]): readonly AnyObject[] => {
  const first = new Map<string, AnyObject>();
  for (const object of objects) {
    const key = refKey(refOf(object));
    if (!first.has(key)) first.set(key, object);
  }
  return [...first.values()];
};

/** What is applied in this pass: new workloads where the health gates allow it, otherwise the running ones. */
export const composeObjects = (input: ComposeInput): readonly AnyObject[] => {
  const moving = movingComponents(input);
  const lingering = lingeringComponents(input);
  const isHeld = (object: AnyObject): boolean => {
    const component = componentOf(object);
    return component !== undefined && !moving.has(component);
  };
  const lingers = (object: AnyObject): boolean => {
    const component = componentOf(object);
    return component !== undefined && lingering.has(component);
  };
  const needsOld = input.next.some(isHeld) || input.previous.some(lingers);
  const stays = (object: AnyObject): boolean => componentOf(object) === undefined || isHeld(object) || lingers(object);
  const chosen = [
    ...input.next.filter((object) => !isHeld(object)),
    // Old pods still need their accounts, roles and configuration.
    ...(needsOld ? input.previous.filter(stays) : []),
  ];
  return onceEach(chosen);
};
