import { VdoError } from '@vdo/base/vdo-error';
import type { Contest } from '@vdo/kube/apply/apply-memory';
import { describeRef } from '@vdo/kube/apply/object-ref';
import type { Observation } from '../observation.ts';

/** Names who undoes what the operator applies. The drivers run; but as nobody wants them. */
export const contestView = (contests: readonly Contest[]): Partial<Observation> => {
  const [worst] = [...contests].sort((a, b) => b.repairs - a.repairs);
  if (!worst) return {};
  const { ref, manager } = worst;
  const place = ref.namespace ? ` -n ${ref.namespace}` : '';
  return {
    contest: new VdoError({
      code: 'DriverManagedElsewhere',
      message: `${describeRef(ref)} is changed back again and again by ${manager ? `field manager ${manager}` : 'somebody else'}; it is repaired less and less often`,
      remedy: `Stop it from writing this object, or set the field where it is meant to be set, in VSphereDrivers: kubectl get ${ref.kind.toLowerCase()} ${ref.name}${place} -o yaml --show-managed-fields shows whose field it is.`,
    }),
  };
};
