export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Mutation extends Edit {
  readonly name: string;
  /** Guards behind the first, which would hide that it is broken. */
  readonly also?: readonly Edit[];
}

export const mutations: readonly Mutation[];
