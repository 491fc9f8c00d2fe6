import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Core } from '../core.ts';
import type { Session } from '../sessions.ts';
import { RestError } from './rest-error.ts';

/** A REST request, the same for `/rest` and `/api`. */
export interface RestCall {
  readonly core: Core;
  readonly session: Session;
  readonly method: string;
  /** `category`, `tag`, `tag-association`. */
  readonly resource: string;
  readonly id: string | undefined;
  readonly action: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A string of the body; empty if it is not there. */
export const textOf = (body: Readonly<Record<string, unknown>>, name: string): string => {
  const value = body[name];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new RestError('invalid_argument', `${name} is not a string`);
  return value;
};

/** Strings of the body. */
export const textsOf = (body: Readonly<Record<string, unknown>>, name: string): readonly string[] => {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    throw new RestError('invalid_argument', `${name} is not a list of strings`);
  return value;
};

/** `{ "type": "VirtualMachine", "id": "vm-42" }` → its reference. */
export const toRef = (value: unknown): MoRef => {
  const { type, id } = (value ?? {}) as { readonly type?: unknown; readonly id?: unknown };
  if (typeof type !== 'string' || typeof id !== 'string') throw new RestError('invalid_argument', 'not a dynamic id');
  return { type, value: id };
};

export const toRefs = (value: unknown): readonly MoRef[] => {
  if (!Array.isArray(value)) throw new RestError('invalid_argument', 'not a list of dynamic ids');
  return value.map(toRef);
};

export const fromRef = ({ type, value }: MoRef) => ({ type, id: value });
