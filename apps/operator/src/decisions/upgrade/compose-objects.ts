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

/**
 * Components whose former workload serves on until the new one is settled, where the two are not the same object, as at a switch of the
 * distribution: the Leases let one of them act. Node agents share a socket and cloud controller managers a port of the host, so they cannot.
 */
const canOverlap: readonly Component[] = ['csi-controller'];

/** Of the components that move, those whose former workload must not go yet. */
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
