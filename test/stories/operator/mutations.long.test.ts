import { describe } from 'vitest';
import { itNoticesEach } from '../../harness/planted-mutations.ts';
import { mutations } from './mutations.ts';

// Issue 17: each item as it was must be noticed.
describe('of an operator with a fault planted again, a story notices', () => {
  itNoticesEach(mutations, ({ item, fault }) => `item ${item}: ${fault}`);
});
