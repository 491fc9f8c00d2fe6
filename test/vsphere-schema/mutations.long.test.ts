import { describe } from 'vitest';
import { itNoticesEach } from '../harness/planted-mutations.ts';
import { mutations } from './mutations.ts';

// Issue 18: a client that is wrong on a live vCenter is wrong on a profile of the simulator.
describe('of a client that is wrong, a test notices', () => {
  itNoticesEach(mutations, ({ fact, fault }) => `${fact}: ${fault}`);
});
