// Looks for what cannot be undone outside packages/acts, where it needs evidence: deletions of Nodes, PersistentVolumes and
// VolumeSnapshotContents, patches that may take a finalizer away, and destructive calls to vCenter. Reads the syntax tree: a word
// in a comment or in a remedy is none.
//   node tools/check-acts.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Resources of packages/kube whose objects stand for something that is lost with them. */
const guarded = ['nodes', 'persistentVolumes', 'volumeSnapshotContents'];
const destructiveCalls = [
  'deleteVolume',
  'unregister',
  'detach',
  'deleteSnapshot',
  'relocate',
  'removeAccess',
  'deleteTagCategory',
];
const destructiveMethods = ['cnsDeleteVolume', 'cnsDetachVolume', 'cnsDeleteSnapshots', 'cnsRelocateVolume'];

/** Deletes whatever kind it is given; each says why that is none of the guarded ones. */
const generic = {
  'packages/kube/src/apply/remove-objects.ts': 'isKept() leaves guarded kinds alone',
  'packages/kube/src/fence-writes.ts': 'passes on what others ask for',
  'apps/sandbox/src/up/leave-cluster.ts': 'the objects of the operator, which its own manifest lists',
  'apps/sandbox/src/up/take-down.ts': 'a StatefulSet, by the name of its kind',
  'apps/vdoctl/src/shared/operator/remove-operator.ts': 'the objects of the operator, which its own manifest lists',
};
/** Makes objects with their finalizers: nothing was there before. */
const creating = ['apps/csi/src/loops/provisioner/claims.ts', 'apps/csi/src/loops/snapshots/snapshot-binder.ts'];

const isChecked = (path) =>
  /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(path) &&
  !/\.test\.ts$|\/testing\/|\/gen\//.test(path) &&
  !/^packages\/(acts|kube-sim|vsphere-sim|sim-world)\//.test(path);

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });

/** Local name → name in the module, of what a file imports or declares from the resources of Kubernetes. */
const importsOf = (source) => {
  const imported = new Map();
  for (const statement of source.statements) {
    const bindings = ts.isImportDeclaration(statement) && statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) imported.set(name.text, (propertyName ?? name).text);
  }
  return imported;
};

const declaredResources = (source) =>
  new Set(
    source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .map(({ name }) => name.getText(source)),
  );

/** Keeps all that was there: `[...those, another]`, and nothing is filtered. */
const onlyAdds = (value) => {
  if (!ts.isArrayLiteralExpression(value) || !value.elements[0] || !ts.isSpreadElement(value.elements[0])) return false;
  return !/\b(filter|slice|splice|without\w*)\(/.test(value.getText());
};

/** Each rule gives what is wrong with a node of the tree; undefined if nothing is. */
const rules = [
  function deletion(node, { source, imported, declared, path }) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    const { expression: on, name: called } = node.expression;
    const isDeletion = called.text === 'deleteCollection' || (called.text === 'delete' && node.arguments.length > 1);
    if (!isDeletion || !/(kube|client|api)$/i.test(on.getText(source))) return undefined;
    const [first] = node.arguments;
    const local = first && ts.isIdentifier(first) ? first.text : '';
    if (guarded.includes(imported.get(local))) return `deletes ${imported.get(local)}`;
    const isKnown = imported.has(local) || declared.has(local) || path in generic;
    return isKnown ? undefined : `deletes ${first?.getText(source)}, whatever kind that is`;
  },
  function callToVCenter(node, { source }) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    const { expression: on, name: called } = node.expression;
    const isDestructive =
      destructiveCalls.includes(called.text) && /(\bcns|operationsOf\(.*\))\??$/s.test(on.getText(source));
    return isDestructive ? `calls ${called.text} of vCenter` : undefined;
  },
  function importOfMethod(node, { path }) {
    if (!ts.isImportSpecifier(node) || /^packages\/vsphere\/src\/(destructive|wire)\//.test(path)) return undefined;
    const { text } = node.propertyName ?? node.name;
    return destructiveMethods.includes(text) ? `imports ${text}` : undefined;
  },
  function finalizers(node, { source, path }) {
    const takesAway = 'may take a finalizer away';
    if (ts.isShorthandPropertyAssignment(node)) return node.name.text === 'finalizers' ? takesAway : undefined;
    if (ts.isStringLiteralLike(node)) return node.text.startsWith('/metadata/finalizers') ? takesAway : undefined;
    if (!ts.isPropertyAssignment(node) || !/^['"]?finalizers['"]?$/.test(node.name.getText(source))) return undefined;
    return onlyAdds(node.initializer) || creating.includes(path) ? undefined : takesAway;
  },
];

const problemsOf = (path) => {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const about = { source, path, imported: importsOf(source), declared: declaredResources(source) };
  const problems = [];
  const inspect = (node) => {
    for (const rule of rules) {
      const what = rule(node, about);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (what !== undefined) problems.push(`${path}:${line + 1}: ${what}: only packages/acts may`);
    }
    ts.forEachChild(node, inspect);
  };
  inspect(source);
  return problems;
};

const files = ['packages', 'apps']
  .flatMap(filesBelow)
  .map((path) => path.replaceAll('\\', '/'))
  .filter(isChecked);
const problems = files.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
if (files.length === 0) console.error('no files: the check looked in the wrong place');
console.log(`${files.length} files, ${problems.length} irreversible acts outside packages/acts`);
process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0;
