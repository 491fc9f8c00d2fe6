import type { InTreeConfig } from '../driver-config.ts';
import type { SectionReader } from './section-reader.ts';

/** The named values of a section that are set; undefined if none is. */
const texts = <K extends string>(
  section: SectionReader,
  keys: readonly K[],
): { readonly [key in K]?: string } | undefined => {
  const found = keys.flatMap((key) => {
    const text = section.text(key);
    return text === undefined ? [] : [[key, text] as const];
  });
  return found.length === 0 ? undefined : (Object.fromEntries(found) as { readonly [key in K]?: string });
};

/** The settings of an in-tree provider's file that other files do not have; undefined for other files. */
export const readInTree = (file: SectionReader, globalSection: SectionReader): InTreeConfig | undefined => {
  const workspace = texts(file.section('workspace'), [
    'server',
    'datacenter',
    'folder',
    'defaultDatastore',
    'resourcePoolPath',
  ]);
  const global = texts(globalSection, ['datastore', 'workingDir', 'vmUuid', 'vmName']);
  const found: InTreeConfig = {
    ...(workspace ? { workspace } : {}),
    ...texts(file.section('disk'), ['scsiControllerType']),
    ...texts(file.section('network'), ['publicNetwork']),
    ...(global ? { global } : {}),
  };
  return Object.keys(found).length === 0 ? undefined : found;
};
