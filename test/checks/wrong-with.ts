import { kubectlComplaint } from '../docs/kubectl-parser.ts';
import { wholeComplaint } from '../docs/vdoctl-parser.ts';
import { wordsOf } from './remedy-commands.ts';

/** Commands that take away what cannot be made again. */
const destructive =
  /\b(?:volume|disk|datastore|vm|library|snapshot)\.(?:rm|destroy)\b|\bdelete\s+(?:-\S+\s+)*(?:pvcs?|pv|persistentvolumes?|persistentvolumeclaims?|volumesnapshots?|volumesnapshotcontents?|namespaces?|crds?)\b|\brm\b|replace --force/;

const govcVerbs = new Set(
  [
    'datastore.maintenance.exit device.scsi.add object.collect session.ls snapshot.remove storage.policy.info',
    'storage.policy.ls tags.category.create tags.detach vm.change vm.power volume.ls',
  ].flatMap((line) => line.split(' ')),
);

/** What is wrong with a command of a remedy: it must be whole, and run as it stands. */
export const wrongWith = async (command: string): Promise<string | undefined> => {
  if (destructive.test(command)) return `takes away data: ${command}`;
  if (/[…<>]/.test(command) || /[ '=](?!TRUE)[A-Z]{2,}(?=[ ']|$)/.test(command))
    return `is to be filled in: ${command}`;
  const [line = ''] = command.split(' | ');
  const [program, ...words] = wordsOf(line);
  const [verb = ''] = words;
  switch (program) {
    case 'vdoctl':
      return wholeComplaint(words);
    case 'kubectl':
      return kubectlComplaint(words);
    case 'helm':
      return words.at(-1) === 'list' ? undefined : `unknown command ${verb}`;
    case 'govc':
      return govcVerbs.has(verb) ? undefined : `unknown command ${verb}`;
    default:
      return `no program of ours: ${command}`;
  }
};
