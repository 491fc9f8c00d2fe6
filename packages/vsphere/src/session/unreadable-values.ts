import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { ValueOwner } from '../wire/decode.ts';
import { morefKey } from '../wire/moref.ts';

/** A value that vCenter sent, that cannot be read, and that was left out of its reply. */
export interface UnreadableValue {
  /** `VirtualMachine:vm-12`; empty if the reply does not tell. */
  readonly object: string;
  /** The property, or where in the reply it was. */
  readonly property: string;
  readonly why: string;
  /** When it was last seen, in milliseconds since 1970. */
  readonly lastMs: number;
}

/** Remembers what could not be read, so that it is shown and not only counted. */
export interface UnreadableValues {
  note(path: string, why: string, owner: ValueOwner): void;
  /** Those of the last 75 minutes: everything that is looked at regularly is looked at within the hour. */
  list(): readonly UnreadableValue[];
}

const rememberedMs = 75 * 60_000;
/** A reply may hold thousands. */
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
