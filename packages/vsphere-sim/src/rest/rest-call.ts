import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Core } from '../core.ts';
import type { Session } from '../sessions.ts';

/** A REST request, the same for `/rest` and `/api`. */
export interface RestCall {
  readonly core: Core;
  readonly session: Session;
  readonly method: string;
  readonly id: string | undefined;
  readonly action: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A string of a body that was validated; empty if absent. */
export const textOf = (body: Readonly<Record<string, unknown>>, name: string): string => String(body[name] ?? '');

/** Strings of the body. */
export const textsOf = (body: Readonly<Record<string, unknown>>, name: string): readonly string[] =>
  (body[name] ?? []) as readonly string[];

/** `{ "type": "VirtualMachine", "id": "vm-42" }` → its reference. */
export const toRef = (value: unknown): MoRef => {
  const { type, id } = value as { readonly type: string; readonly id: string };
  return { type, value: id };
};

export const toRefs = (value: unknown): readonly MoRef[] => (value as readonly unknown[]).map(toRef);

export const fromRef = ({ type, value }: MoRef) => ({ type, id: value });
