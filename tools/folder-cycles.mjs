// Finds folders of one package or app that import each other, directly or around a corner. Files may be free of cycles and
// folders not: then no folder can be read, tested or moved without the others.

/** Tests, and the builders that they share, may look at everything. */
const testCode = /(\.test\.ts$|\/src\/testing\/)/;

const roomOf = (path) => /^(?:packages|apps)\/[^/]+/.exec(path)?.[0];

/** The folder right below src that a file is in; undefined for files of src itself, which put the folders together. */
const folderOf = (path) => /^(?:packages|apps)\/[^/]+\/src\/[^/]+(?=\/)/.exec(path)?.[0];

/** Which folder imports which, with one import as the example: Map of folder → Map of folder → "from -> to". */
const importsBetween = (modules) => {
  const imports = new Map();
  for (const { source, dependencies } of modules) {
    if (testCode.test(source)) continue;
    for (const { resolved } of dependencies) {
      const [from, to] = [folderOf(source), folderOf(resolved)];
      if (!from || !to || from === to || roomOf(source) !== roomOf(resolved) || testCode.test(resolved)) continue;
      if (!imports.has(from)) imports.set(from, new Map());
      if (!imports.get(from).has(to)) imports.get(from).set(to, `${source} -> ${resolved}`);
    }
  }
  return imports;
};

const reachableFrom = (start, imports) => {
  const seen = new Set();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const next of imports.get(folder)?.keys() ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  return seen;
};

/**
 * The cycles among the folders of each package and app.
 *
 * @param modules the `modules` of dependency-cruiser's JSON
 * @returns one entry for each group of folders that reach each other: its folders, and an example of each import among them
 */
export const folderCycles = (modules) => {
  const imports = importsBetween(modules);
  const reach = new Map([...imports.keys()].map((folder) => [folder, reachableFrom(folder, imports)]));
  const groups = [];
  for (const folder of [...imports.keys()].sort()) {
    if (!reach.get(folder).has(folder) || groups.some(({ folders }) => folders.includes(folder))) continue;
    const folders = [...reach.get(folder)].filter((other) => reach.get(other)?.has(folder)).sort();
    const examples = folders.flatMap((from) => folders.flatMap((to) => imports.get(from)?.get(to) ?? []));
    groups.push({ folders, examples });
  }
  return groups;
};
