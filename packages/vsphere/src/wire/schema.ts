import type { MoRef } from './moref.ts';
import { type ScalarCodec, scalars } from './scalars.ts';

declare const carried: unique symbol;

/** The wire type of an element, with the TypeScript type of its value. */
export interface Field<out T> {
  readonly kind: 'scalar' | 'ref' | 'any' | 'object' | 'named' | 'array' | 'optional';
  /** Never set; carries the type for inference. */
  readonly [carried]?: T;
}

export interface ScalarField<out T> extends Field<T> {
  readonly kind: 'scalar';
  /** Name in xsi:type: `xsd:string`, or the enumeration's own name. */
  readonly wireName: string;
  readonly codec: ScalarCodec;
}

export interface RefField extends Field<MoRef> {
  readonly kind: 'ref';
}

export interface AnyField extends Field<unknown> {
  readonly kind: 'any';
}

export interface NamedField<out T> extends Field<T> {
  readonly kind: 'named';
  readonly name: string;
}

export interface ArrayField<out T> extends Field<readonly T[]> {
  readonly kind: 'array';
  readonly of: Field<T>;
}

export interface OptionalField<out T> extends Field<T> {
  readonly kind: 'optional';
  readonly of: Field<T>;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** A data object type of the wire. `fields` are its own; those of `base` come before them. */
export interface ObjectType<out V = object> extends Field<V> {
  readonly kind: 'object';
  readonly name: string;
  readonly fields: Fields;
  readonly base: ObjectType | undefined;
  /** Other types extend it, here or in a newer vCenter: its xsi:type is always sent, because Go servers and clients need it. */
  readonly open: boolean;
}

/** The TypeScript type of a field or data object type: `Value<typeof GuestNicInfo>`. */
export type Value<F> = F extends Field<infer T> ? T : never;

type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K]['kind'] extends 'optional' ? K : never }[keyof F];

/** An object with these fields. */
export type FieldValues<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Value<F[K]>;
} & {
  readonly [K in OptionalKeys<F>]?: Value<F[K]> | undefined;
};

type Flat<T> = { readonly [K in keyof T]: T[K] };

/** Decoded objects carry the concrete wire type in `$type`; to encode, it is needed only where it differs from the declared one. */
export interface Typed {
  readonly $type?: string | undefined;
}

const scalar = <T>(wireName: string, codec: ScalarCodec): ScalarField<T> => ({ kind: 'scalar', wireName, codec });

export const string = scalar<string>('xsd:string', scalars.string);
export const boolean = scalar<boolean>('xsd:boolean', scalars.boolean);
export const byte = scalar<number>('xsd:byte', scalars.integer);
export const short = scalar<number>('xsd:short', scalars.integer);
export const int = scalar<number>('xsd:int', scalars.integer);
/** 64 bits without loss: a bigint. */
export const long = scalar<bigint>('xsd:long', scalars.long);
export const float = scalar<number>('xsd:float', scalars.double);
export const double = scalar<number>('xsd:double', scalars.double);
export const dateTime = scalar<Date>('xsd:dateTime', scalars.dateTime);
export const base64 = scalar<Uint8Array>('xsd:base64Binary', scalars.base64);
export const ref: RefField = { kind: 'ref' };
/** The xsi:type of the value decides; see `anyOf` to encode values whose type cannot be derived from the value. */
export const anyType: AnyField = { kind: 'any' };

/** A string enumeration. Unknown values are passed on unchanged. */
export const enumeration = <const V extends string>(
  wireName: string,
  ..._values: readonly V[]
): ScalarField<V | (string & {})> => scalar(wireName, scalars.string);

export const optional = <T>(of: Field<T>): OptionalField<T> => ({ kind: 'optional', of });
/** Repeated elements; none is an empty array. */
export const array = <T>(of: Field<T>): ArrayField<T> => ({ kind: 'array', of });
/** A data object type that cannot be referred to by value because the declarations are circular; the registry resolves it by name. */
export const named = <T>(name: string): NamedField<T> => ({ kind: 'named', name });

/** Defines a data object type: fields in wire order, after those of the base type. */
export const defineType = <F extends Fields, B extends Typed = Typed>(
  name: string,
  fields: F,
  options: { readonly extends?: ObjectType<B>; readonly open?: boolean } = {},
): ObjectType<Flat<B & FieldValues<F>>> => ({
  kind: 'object',
  name,
  fields,
  base: options.extends,
  open: options.open ?? false,
});

type Untyped<T> = { readonly [K in keyof T as K extends '$type' ? never : K]: T[K] };

/** The type for encoding `T`: arrays may be omitted, at any depth. */
export type Input<T> = T extends string | number | bigint | boolean | undefined | Date | Uint8Array
  ? T
  : T extends readonly (infer U)[]
    ? readonly Input<U>[]
    : T extends object
      ? { readonly [K in keyof T as T[K] extends readonly unknown[] ? never : K]: Input<T[K]> } & {
          readonly [K in keyof T as T[K] extends readonly unknown[] ? K : never]?: Input<T[K]> | undefined;
        }
      : T;

/** A value to encode, marked with its type: for fields that are declared with a base type or with `anyType`. */
export const make = <V extends object>(
  type: ObjectType<V>,
  value: Untyped<Input<V>>,
): Input<V> & { readonly $type: string } =>
  ({ ...value, $type: type.name }) as unknown as Input<V> & { readonly $type: string };

/** A value for an `anyType` field whose wire type cannot be derived from the value: arrays, enumerations, shorts. */
export interface AnyOf {
  readonly $field: Field<unknown>;
  readonly value: unknown;
}

export const anyOf = <T>(field: Field<T>, value: Input<T>): AnyOf => ({ $field: field, value });

export interface Method<out Q = object, out S = unknown> {
  readonly name: string;
  /** `urn:vim25`, `urn:vsan`, `urn:pbm`, … */
  readonly namespace: string;
  readonly request: ObjectType<Q>;
  readonly response: ObjectType<{ readonly returnval?: S }>;
}

export type RequestOf<M> = M extends Method<infer Q, unknown> ? Untyped<Input<Q>> : never;
export type ResponseOf<M> = M extends Method<object, infer S> ? S : never;

type Returned<R> = R extends OptionalField<infer T> ? T | undefined : R extends Field<infer T> ? T : undefined;

/** Describes a SOAP method: its parameters in order and, unless it returns nothing, its return value. */
export const defineMethod = <F extends Fields, R extends Field<unknown> | undefined = undefined>(
  name: string,
  options: { readonly namespace: string; readonly request: F; readonly response?: R },
): Method<Flat<FieldValues<F>>, Returned<R>> => {
  const returned: Fields = options.response === undefined ? {} : { returnval: options.response };
  return {
    name,
    namespace: options.namespace,
    request: defineType(name, options.request) as ObjectType<Flat<FieldValues<F>>>,
    response: defineType(`${name}Response`, returned) as ObjectType<{ readonly returnval?: Returned<R> }>,
  };
};
