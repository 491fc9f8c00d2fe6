// Writes tools/vsphere-schema/govmomi-sso.txt: the types and methods of single sign-on, which pyvmomi does not have, from the
// declarations of govmomi. Names, order, types and what may be absent only.
// `npm run schema` does it if GOVMOMI names a folder with the sources of govmomi v0.55.1.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** Reads govmomi in that folder. */
export const writeSsoFacts = async (folder) => {
  const since = 'sso/version2';
  const source = readFileSync(join(folder, 'ssoadmin/types/types.go'), 'utf8');

  /** By Go name: the fields of each struct, in order. */
  const structs = new Map(
    [...source.matchAll(/^type (\w+) struct \{\n([^}]*)\}/gm)].map(([, name, body]) => [
      name,
      [...body.matchAll(/^\t\w+ +(\S+) +`xml:"([^",]+)(,[^"]*)?"`/gm)].map(([, type, field, marks = '']) => ({
        field,
        type: type.replace(/^(\[\])?\*?/, ''),
        isArray: type.startsWith('[]'),
        isOptional: marks.includes('omitempty'),
      })),
    ]),
  );

  const scalars = { string: 'string', bool: 'boolean', int32: 'int', int64: 'long', 'time.Time': 'dateTime' };
  /** Wire types have the name of the service before them; its methods that begin with it have it already. */
  const wireName = (name) => (name.startsWith('Sso') ? name : `Sso${name}`);
  const typeOf = ({ type, isArray, isOptional }) => {
    const name =
      type === 'types.ManagedObjectReference'
        ? '@ManagedObject'
        : (scalars[type] ?? wireName(type.replace('types.', '')));
    return `${name}${isArray ? '[]' : ''}${isOptional ? '?' : ''}`;
  };

  const { usedMethods } = await loadTypeScript(here('used.ts'));
  const needed = new Set();
  const need = (name) => {
    if (!structs.has(name) || needed.has(name)) return;
    needed.add(name);
    for (const { type } of structs.get(name)) need(type);
  };
  const methods = usedMethods
    .filter(({ namespace }) => namespace === 'urn:sso')
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => {
      const params = structs.get(`${name}RequestType`);
      const [result] = structs.get(`${name}Response`) ?? [];
      // A method that is not there is left out: the comparison of our types will name it.
      if (!params) return [];
      for (const { type } of [...params, ...(result ? [result] : [])]) need(type);
      return [
        ` ${name}() ${result ? typeOf(result) : 'void'} ${since} - -`,
        ...params.filter(({ field }) => field !== '_this').map((param) => `  ${param.field} ${typeOf(param)}`),
      ];
    });
  const types = [...needed]
    .sort()
    .flatMap((name) => [
      `data ${wireName(name)} DynamicData ${since}`,
      ...structs.get(name).map((field) => ` ${field.field} ${typeOf(field)}`),
    ]);
  // "Fault types are not in the ssoadmin.wsdl": govmomi knows them by the types of vim that have the same fields.
  const client = readFileSync(join(folder, 'ssoadmin/client.go'), 'utf8');
  const faults = [...client.matchAll(/vim\.Add\("(\w+)", reflect\.TypeOf\(\(\*vim\.(\w+)\)/g)].map(
    ([, name, base]) => `fault ${name} ${base} ${since}`,
  );
  const text = [
    `version ${since} vim/2.5`,
    'object SsoService ManagedObject sso/version2',
    ...methods,
    ...types,
    ...faults,
  ];
  writeFileSync(here('govmomi-sso.txt'), `${text.join('\n')}\n`);
  console.log(`${text.length} lines`);
};
