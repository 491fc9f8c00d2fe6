import type { ApplyCall } from '@vdo/kube/apply/create-applier';
import type { ObjectRef } from '@vdo/kube/apply/object-ref';
import type { DriverKind } from '@vdo/releases/matrix';
import type { ComponentObservation } from '../../observation.ts';
import { ofDriver } from '../drivers.ts';

/**
 * What may be removed of the objects that are no longer rendered. While a driver stays as it is, its objects are not rendered either: then only
 * the former workloads of the other driver may go, because its change is not complete before; what their pods needed goes later.
 */
export const mayBePruned = (
  staying: readonly DriverKind[],
  running: readonly ComponentObservation[],
): NonNullable<ApplyCall['prune']> => {
  if (staying.length === 0) return true;
  const others = (['cpi', 'csi'] as const).filter((driver) => !staying.includes(driver));
  const workloads = others.flatMap((driver) => ofDriver(running, driver)).filter(({ ours }) => ours);
  return ({ kind, namespace, name }: ObjectRef) =>
    workloads.some((one) => one.kind === kind && one.namespace === namespace && one.name === name);
};
