/** A property tree: the properties of a managed object. Trees are never changed in place, so `===` shows whether a part changed. */
export type Properties = Readonly<Record<string, unknown>>;

interface Segment {
  readonly name: string;
  /** `device[4000]` and `extraConfig["a.b"]` select one element of an array by its key. */
  readonly key: string | undefined;
}

const segmentPattern = /([^.[\]]+)(?:\[(?:"([^"]*)"|([^\]]*))\])?(?:\.|$)/y;

/** `config.hardware.device[4000].backing` → its segments; undefined if the text is not a property path. */
const parsePath = (path: string): readonly Segment[] | undefined => {
  const segments: Segment[] = [];
  segmentPattern.lastIndex = 0;
  while (segmentPattern.lastIndex < path.length) {
    const match = segmentPattern.exec(path);
    if (!match?.[1]) return undefined;
    segments.push({ name: match[1], key: match[2] ?? match[3] });
  }
  return segments;
};

const isTree = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const hasKey = (element: unknown, key: string): boolean => isTree(element) && String(element['key']) === key;

/** The value at a path; undefined if a part of the path is unset. */
export const readPath = (tree: Properties, path: string): unknown => {
  if (!/[.[]/.test(path)) return tree[path];
  let value: unknown = tree;
  for (const { name, key } of parsePath(path) ?? []) {
    if (!isTree(value)) return undefined;
    value = value[name];
    if (key !== undefined) value = Array.isArray(value) ? value.find((element) => hasKey(element, key)) : undefined;
  }
  return value === tree ? undefined : value;
};

/** A tree with the value at a path replaced; missing parents are created. Writing undefined removes the value. Paths with keys cannot be written. */
export const writePath = (tree: Properties, path: string, value: unknown): Properties => {
  const dot = path.indexOf('.');
  if (dot < 0) {
    if (tree[path] === value) return tree;
    if (value !== undefined) return { ...tree, [path]: value };
    const { [path]: _removed, ...rest } = tree;
    return rest;
  }
  const head = path.slice(0, dot);
  const child = tree[head];
  const written = writePath(isTree(child) ? child : {}, path.slice(dot + 1), value);
  return written === child ? tree : { ...tree, [head]: written };
};
