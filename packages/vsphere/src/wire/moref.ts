/** A managed object reference: `{ type: 'VirtualMachine', value: 'vm-42' }`. Unique within one vCenter. */
export interface MoRef {
  readonly type: string;
  readonly value: string;
}

export const moref = (type: string, value: string): MoRef => ({ type, value });

/** `VirtualMachine:vm-42`: a MoRef as a map key or a log field. */
export const morefKey = (ref: MoRef): string => `${ref.type}:${ref.value}`;
