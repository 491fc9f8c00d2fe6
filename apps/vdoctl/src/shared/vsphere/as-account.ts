import type { ClusterFacts } from '@vdo/checks/facts';

/** Check messages name the account in the Secret; this replaces it with the account that was really used. */
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
