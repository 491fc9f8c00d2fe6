import type { Suite } from './suites.mjs';

export const sourcesOf: (suite: Pick<Suite, 'files' | 'vcsim'>, release: string) => string;
