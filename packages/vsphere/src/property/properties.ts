import type { Field, Value } from '../wire/schema.ts';

/**
 * Property paths of one managed object type with the wire type found at each. Values that vCenter does not set,
 * or hides from this user, are absent.
 */
export interface PropertySet<out V = object> {
  readonly type: string;
  readonly paths: readonly string[];
  /** Never set; carries the type for inference. */
  readonly values?: V;
}

type PathFields = Readonly<Record<string, Field<unknown>>>;

type PathValues<F extends PathFields> = { readonly [P in keyof F]?: Value<F[P]> | undefined };

/** `defineProperties('VirtualMachine', { name: string, 'guest.net': array(GuestNicInfo) })`. */
export const defineProperties = <const F extends PathFields>(type: string, fields: F): PropertySet<PathValues<F>> => ({
  type,
  paths: Object.keys(fields),
});
