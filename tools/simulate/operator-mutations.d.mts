import type { Mutation } from './mutations.mjs';

export const operatorMutations: readonly Mutation[];
