import { annotationKeys, names, parameterKeys } from '@vdo/config/names';
import type { StorageClass } from '@vdo/kube/types/storage';
import { type Check, type CheckObject, fail, pass, skipped, type Verdict, warn } from '../check.ts';
import { valueIn } from '../facts/reading.ts';
import type { ClusterFacts } from '../facts.ts';
import { driversObject, few, notRead } from '../not-read.ts';
import { inTreeParameters, knownParameters, parameterOf } from './class-parameters.ts';

const defaultAnnotation = annotationKeys.defaultStorageClass;
const classObject = ({ metadata }: StorageClass): CheckObject => ({ kind: 'StorageClass', name: metadata.name ?? '' });

/** Parameters of a StorageClass cannot be changed: it must be recreated, which does not affect its volumes. */
const remake = (name: string, edit: string): string =>
  `kubectl get sc ${name} -o yaml > sc.yaml, ${edit}, then kubectl replace --force -f sc.yaml (volumes of the class stay unchanged)`;

const urlsOf = ({ vcenters }: ClusterFacts): ReadonlySet<string> | undefined => {
  const places = vcenters.map(({ places: reading }) => valueIn(reading)?.datastores);
  return places.every((list) => list !== undefined)
    ? new Set(places.flatMap((list) => (list ?? []).map(({ url }) => url)))
    : undefined;
};

const judgeClass = (one: StorageClass, cluster: ClusterFacts, urls: ReadonlySet<string> | undefined): Verdict => {
  const object = classObject(one);
  const known = [...knownParameters, ...(cluster.spec.csi?.inTreeMigration ? inTreeParameters : [])];
  const unknown = Object.keys(one.parameters ?? {}).filter(
    (key) => !known.includes(key.toLowerCase()) && !key.toLowerCase().startsWith(parameterKeys.prefix),
  );
  if (unknown.length > 0)
    return fail(object, {
      reason: 'UnknownParameter',
      message: `the storage driver does not know the parameters ${unknown.join(', ')} and rejects claims of this class; known parameters: ${knownParameters.join(', ')}`,
      remedy: remake(object.name, `remove ${unknown.join(', ')} from parameters`),
    });
  const url = parameterOf(one, 'datastoreurl');
  if (url !== undefined && urls && !urls.has(url))
    return fail(object, {
      reason: 'DatastoreUnknown',
      message: `no host of a node mounts the datastore ${url}; mounted datastores: ${few([...urls])}`,
      remedy: remake(object.name, `correct datastoreurl (govc datastore.info shows the URL of each)`),
    });
  return pass(object, 'the storage driver understands it');
};

const judge = (cluster: ClusterFacts): readonly Verdict[] => {
  const { spec, kube, releases } = cluster;
  if (!spec.csi) return [skipped(driversObject, 'spec.csi is not set')];
  const classes = valueIn(kube.storageClasses);
  if (!classes) return [notRead(driversObject, kube.storageClasses, 'the StorageClasses', 'the log of the operator')];
  const ours = classes.filter(({ provisioner }) => provisioner === names.csiDriver);
  const urls = urlsOf(cluster);
  const installed = releases.drivers.some(({ kind, installed: runs }) => kind === 'CSI' && runs);
  const missing = spec.csi.storageClasses.filter(({ name }) => !classes.some(({ metadata }) => metadata.name === name));
  const defaults = classes.filter(({ metadata }) => metadata.annotations?.[defaultAnnotation] === 'true');
  return [
    ...ours.map((one) => judgeClass(one, cluster, urls)),
    ...(installed ? missing : []).map(({ name }) =>
      fail(
        { kind: 'StorageClass', name },
        {
          reason: 'ClassMissing',
          message: `spec.csi.storageClasses contains StorageClass ${name}, which does not exist`,
          remedy: 'The operator creates it in its next pass. If it does not, its log shows why:',
          commands: [`kubectl -n ${cluster.namespace} logs deployment/${names.operator} --since=10m`],
        },
      ),
    ),
    ...(defaults.length > 1
      ? [
          warn(driversObject, {
            reason: 'SeveralDefaultClasses',
            message: `several StorageClasses are the default: ${few(defaults.map(({ metadata }) => metadata.name ?? ''))}; the newest one is used`,
            remedy: 'Keep only one default:',
            commands: [`kubectl annotate sc ${defaults.at(-1)?.metadata.name} ${defaultAnnotation}-`],
          }),
        ]
      : [pass(driversObject, `${defaults.length} StorageClass is the default`)]),
  ];
};

export const storageClassesCheck: Check = {
  id: 'storage/storage-classes',
  title: 'The StorageClasses of the driver have only known parameters, and at most one class is the default.',
  meaning: 'Claims of a class that the driver does not understand stay pending.',
  remedy:
    'The parameters of a StorageClass cannot be changed. Save the class to a file, correct it, and replace the class: `kubectl replace --force -f FILE`. Existing volumes are not affected.',
  action: 'BlockUpgrade',
  judge,
};
