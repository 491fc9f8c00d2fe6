import { execFileSync } from 'node:child_process';

/** The time that everything made from this commit bears, in seconds: that of the commit, unless SOURCE_DATE_EPOCH names another. */
export const commitEpoch = (root) =>
  Number(
    process.env.SOURCE_DATE_EPOCH ??
      execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }),
  );
