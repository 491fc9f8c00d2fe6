// Two folders of one workspace that import each other are one folder with two names: neither can be read, moved or tested
// without the other.
import { dirname } from 'node:path';

const workspaceOf = (path) => /^(?:packages|apps)\/[^/]+\//.exec(path)?.[0];

const isNested = (one, other) => `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

/**
 * The pairs of folders that import each other, each with the imports on both sides. `imports` are pairs of file paths; those
 * between workspaces do not count, which the import table rules, nor those between a folder and one inside it.
 */
export const folderCycles = (imports) => {
  const between = new Map();
  for (const { from, to } of imports) {
    const [near, far] = [dirname(from), dirname(to)];
    const workspace = workspaceOf(from);
    if (workspace === undefined || workspace !== workspaceOf(to) || isNested(near, far)) continue;
    const key = `${near} ${far}`;
    between.set(key, [...(between.get(key) ?? []), `${from} -> ${to}`]);
  }
  return [...between].flatMap(([key, there]) => {
    const [near, far] = key.split(' ');
    const back = between.get(`${far} ${near}`);
    return back && near < far ? [{ folders: [near, far], imports: [...there, ...back] }] : [];
  });
};
