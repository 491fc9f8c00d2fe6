import type { Value } from '../wire/schema.ts';
import type { ObjectContent } from '../wire/types/property-collector.ts';

/** vCenter did not return its properties, because the caller has no session. */
export const isRefused = ({ missingSet }: Pick<Value<typeof ObjectContent>, 'missingSet'>): boolean =>
  missingSet.some(({ fault }) => fault.fault.$type === 'NotAuthenticated');
