import { VdoError } from '@vdo/base/vdo-error';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';

/** Relations between objects: the VMs of a host, the children of a folder. */
export interface Links {
  add(from: MoRef, to: MoRef): void;
  of(from: MoRef): readonly MoRef[];
}

export const createLinks = (): Links => {
  const links = new Map<string, MoRef[]>();
  return {
    add: (from, to) => {
      const known = links.get(morefKey(from));
      if (known) known.push(to);
      else links.set(morefKey(from), [to]);
    },
    of: (from) => links.get(morefKey(from)) ?? [],
  };
};

/** The object with a name in the model. */
export const named = <T>(objects: ReadonlyMap<string, T>, name: string, what: string): T => {
  const found = objects.get(name);
  if (found !== undefined) return found;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `the model refers to the ${what} "${name}", which it does not define; it defines ${[...objects.keys()].join(', ') || 'none'}`,
    remedy: `Define the ${what} or correct its name in the model.`,
  });
};
