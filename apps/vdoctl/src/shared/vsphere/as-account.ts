import type { ClusterFacts } from '@vdo/checks/facts';

/** Messages of checks name the account of the Secret; these facts were read with another one. */
export const asAccount = (facts: ClusterFacts, username: string): ClusterFacts => ({
  ...facts,
  vcenters: facts.vcenters.map((vcenter) => ({
    ...vcenter,
    secret: {
      ...vcenter.secret,
      lookup: { missingKeys: [], trailingNewlineKeys: [], account: { username, password: '' } },
    },
  })),
});
