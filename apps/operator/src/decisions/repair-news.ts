import { describeRef } from '@vdo/kube/apply/object-ref';
import type { Repair } from '@vdo/kube/apply/repair';
import type { TransitionEvent } from './transitions.ts';

const namedAtMost = 5;

const fieldsOf = (fields: readonly string[]): string =>
  fields.slice(0, namedAtMost).join(', ') +
  (fields.length > namedAtMost ? ` and ${fields.length - namedAtMost} more` : '');

/** The event for repaired drift: which object, which fields, and who had changed them. */
export const repairNews = (repairs: readonly Repair[]): readonly TransitionEvent[] =>
  repairs.map(({ ref, fields, manager }) => ({
    type: 'Normal',
    reason: 'DriftRepaired',
    message:
      fields.length === 0
        ? `${describeRef(ref)} was deleted; VDO recreated it.`
        : `${describeRef(ref)} was changed${manager ? ` by ${manager}` : ''}; VDO restored: ${fieldsOf(fields)}.`,
  }));
