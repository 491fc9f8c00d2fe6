import { type FieldError, required } from '../api-error.ts';
import { isObject, type JsonObject, listOf, objectOf, stringOf } from '../json.ts';

const pullPolicy = (image: string): string => {
  const tag = /:([^:/@]+)$/.exec(image)?.[1];
  return image.includes('@') || (tag !== undefined && tag !== 'latest') ? 'IfNotPresent' : 'Always';
};

const containerDefaults = (container: unknown): unknown => {
  if (!isObject(container)) return container;
  const ports = container['ports'];
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(stringOf(container['image'])),
    resources: {},
    ...container,
    ...(Array.isArray(ports) ? { ports: ports.map((port) => ({ protocol: 'TCP', ...objectOf(port) })) } : {}),
  };
};

/** The defaults of a PodSpec, in pods and templates alike. */
export const podSpecDefaults = (spec: JsonObject): JsonObject => ({
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  ...spec,
  ...(Array.isArray(spec['containers']) ? { containers: spec['containers'].map(containerDefaults) } : {}),
  ...(Array.isArray(spec['initContainers']) ? { initContainers: spec['initContainers'].map(containerDefaults) } : {}),
});

/** Problems of a PodSpec at a path. */
export const podSpecErrors = (spec: JsonObject, path: string): readonly FieldError[] => {
  const containers = listOf(spec['containers']);
  if (containers.length === 0) return [required(`${path}.containers`)];
  return containers.flatMap((container, index) =>
    ['name', 'image']
      .filter((field) => stringOf(objectOf(container)[field]) === '')
      .map((field) => required(`${path}.containers[${index}].${field}`)),
  );
};
