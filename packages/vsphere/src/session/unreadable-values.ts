import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { ValueOwner } from '../wire/decode.ts';
import { morefKey } from '../wire/moref.ts';

/** A value from vCenter that could not be read and was ignored. */
export interface UnreadableValue {
  /** `VirtualMachine:vm-12`; empty if the reply does not contain it. */
  readonly object: string;
  /** The property, or its position in the reply. */
  readonly property: string;
  readonly why: string;
  /** When it was last seen, in milliseconds since 1970. */
  readonly lastMs: number;
}

/** Remembers unreadable values, so that they are shown and not only counted. */
export interface UnreadableValues {
  note(path: string, why: string, owner: ValueOwner): void;
  /** The values of the last 75 minutes: all regular reads are repeated within an hour. */
  list(): readonly UnreadableValue[];
}

const rememberedMs = 75 * 60_000;
/** Maximum number; a reply may contain thousands. */
const maxKept = 100;

export const createUnreadableValues = (deps: {
  readonly server: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}): UnreadableValues => {
  const { server, clock, logger } = deps;
  const values = new Map<string, UnreadableValue>();
  const isOld = ({ lastMs }: UnreadableValue): boolean => clock.now() - lastMs > rememberedMs;
  const forgetOld = (): void => {
    for (const [key, value] of values) if (isOld(value)) values.delete(key);
  };
  return {
    note: (path, why, owner) => {
      const object = owner.object ? morefKey(owner.object) : '';
      const property = owner.property ?? path;
      const key = `${object} ${property}`;
      forgetOld();
      if (!values.has(key)) {
        if (values.size >= maxKept) return;
        logger.warn('cannot read a value from vCenter; it is ignored', { server, object, property, path, why });
      }
      values.set(key, { object, property, why, lastMs: clock.now() });
    },
    list: () => {
      forgetOld();
      return [...values.values()];
    },
  };
};
