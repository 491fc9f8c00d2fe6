/*
 * The table is text, one fact per line, sorted, so that a newer source differs in the lines that changed:
 *
 *   source <program> <version>                      of all that follows
 *   version <version> <parent versions…>
 *   data <name> <base> <since>                      a data object type (`fault`: one that is thrown)
 *    <property> <type> [<since>]                    in wire order; since when, unless since its type is
 *   enum <name> <since> <values…>
 *   object <name> <base> <since>                    a managed object type, with its properties
 *    <method>() <result> <since> <privilege> <faults>
 *     <parameter> <type> [<since>]
 *
 * A version is `<family>/<name>` with underlines for blanks: `vim/6.7.3`, `vsan/vSAN_6.7U3`. A type is a name, `@` before a
 * reference to a managed object, `[]` after what repeats, `?` after what may be absent.
 */

export interface FieldFacts {
  readonly name: string;
  /** Without marks: `string`, `CnsVolumeId`; for a reference the managed object type. */
  readonly type: string;
  readonly isRef: boolean;
  readonly isArray: boolean;
  readonly isOptional: boolean;
  readonly since: string;
}

export interface TypeFacts {
  readonly kind: 'data' | 'fault' | 'object';
  readonly name: string;
  readonly base: string;
  readonly since: string;
  /** Its own, in wire order. */
  readonly fields: readonly FieldFacts[];
}

export interface EnumFacts {
  readonly name: string;
  readonly since: string;
  readonly values: readonly string[];
}

export interface MethodFacts {
  readonly name: string;
  readonly object: string;
  readonly since: string;
  readonly result: Omit<FieldFacts, 'name' | 'since'>;
  readonly params: readonly FieldFacts[];
  readonly privilege: string | undefined;
  readonly faults: readonly string[];
}

export interface TypeFactsTable {
  readonly sources: readonly string[];
  readonly types: ReadonlyMap<string, TypeFacts>;
  readonly enums: ReadonlyMap<string, EnumFacts>;
  /** By `<family> <name>`: two services may have methods of one name. */
  readonly methods: ReadonlyMap<string, MethodFacts>;
  readonly parents: ReadonlyMap<string, readonly string[]>;
}

const typePattern = /^(@?)([^[\]?]+)(\[\])?(\?)?$/;

const typeOf = (text: string): MethodFacts['result'] => {
  const match = typePattern.exec(text);
  if (!match) throw new Error(`the type table has no type "${text}"`);
  return {
    type: match[2] ?? '',
    isRef: match[1] === '@',
    isArray: match[3] !== undefined,
    isOptional: match[4] !== undefined,
  };
};

const fieldOf = ([name = '', type = '', since]: readonly string[], owner: string): FieldFacts => ({
  name,
  ...typeOf(type),
  since: since ?? owner,
});

/** `vim`, `query` and `vmodl` are one service. */
export const familyOf = (version: string): 'vim' | 'vsan' | 'pbm' | 'sso' => {
  const [family = ''] = version.split('/');
  return family === 'vsan' || family === 'pbm' || family === 'sso' ? family : 'vim';
};

export const methodKey = (family: string, name: string): string => `${family} ${name}`;

const methodOf = (words: readonly string[], object: string, params: readonly FieldFacts[]): MethodFacts => {
  const [name = '', result = '', since = '', privilege = '-', faults = '-'] = words;
  return {
    name: name.slice(0, -2),
    object,
    since,
    result: typeOf(result),
    params,
    privilege: privilege === '-' ? undefined : privilege,
    faults: faults === '-' ? [] : faults.split(','),
  };
};

export const readTable = (text: string): TypeFactsTable => {
  const types = new Map<string, TypeFacts>();
  const enums = new Map<string, EnumFacts>();
  const methods = new Map<string, MethodFacts>();
  const parents = new Map<string, readonly string[]>();
  const sources: string[] = [];
  let fields: FieldFacts[] = [];
  let params: FieldFacts[] = [];
  let owner = { name: '', since: '' };
  let since = '';

  const heading = (words: readonly string[]): void => {
    const [kind = '', name = '', third = '', fourth = ''] = words;
    if (kind === 'source') sources.push(`${name} ${third}`);
    else if (kind === 'version') parents.set(name, words.slice(2));
    else if (kind === 'enum') enums.set(name, { name, since: third, values: words.slice(3) });
    else if (kind === 'data' || kind === 'fault' || kind === 'object') {
      owner = { name, since: fourth };
      // A second source may know more methods of an object.
      fields = [...(types.get(name)?.fields ?? [])];
      types.set(name, { kind, name, base: third, since: fourth, fields });
    } else throw new Error(`the type table has a line that begins with "${kind}"`);
  };

  const method = (words: readonly string[]): void => {
    params = [];
    const facts = methodOf(words, owner.name, params);
    since = facts.since;
    methods.set(methodKey(familyOf(since), facts.name), facts);
  };

  for (const line of text.trimEnd().split('\n')) {
    const words = line.trimStart().split(' ');
    if (line.startsWith('  ')) params.push(fieldOf(words, since));
    else if (!line.startsWith(' ')) heading(words);
    else if (words[0]?.endsWith('()')) method(words);
    else fields.push(fieldOf(words, owner.since));
  }
  return { sources, types, enums, methods, parents };
};
