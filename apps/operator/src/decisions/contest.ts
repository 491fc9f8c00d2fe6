import { VdoError } from '@vdo/base/vdo-error';
import type { Contest } from '@vdo/kube/apply/apply-memory';
import { describeRef } from '@vdo/kube/apply/object-ref';
import type { Observation } from '../observation.ts';

/** Names the field manager that keeps overwriting what the operator applies. */
export const contestView = (contests: readonly Contest[]): Partial<Observation> => {
  const [worst] = [...contests].sort((a, b) => b.repairs - a.repairs);
  if (!worst) return {};
  const { ref, manager } = worst;
  const place = ref.namespace ? ` -n ${ref.namespace}` : '';
  return {
    contest: new VdoError({
      code: 'DriverManagedElsewhere',
      message: `${describeRef(ref)} is repeatedly changed back by ${manager ? `field manager ${manager}` : 'another client'}; VDO repairs it at growing intervals`,
      remedy: `Stop that client from writing this object, or set the field in VSphereDrivers instead. To see who owns each field: kubectl get ${ref.kind.toLowerCase()} ${ref.name}${place} -o yaml --show-managed-fields`,
    }),
  };
};
