import { VdoError } from '@vdo/base/vdo-error';
import { yamlValue } from '@vdo/base/yaml';

type Json = Readonly<Record<string, unknown>> | readonly unknown[];

const refuse = (assignment: string, why: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `--set ${assignment}: ${why}`,
    remedy: 'Write it as PATH=VALUE, such as csi.replicas=2 or vcenters[0].datacenters[0]=/DC.',
  });

const put = (target: unknown, steps: readonly string[], value: unknown): unknown => {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (/^\d+$/.test(step)) {
    const list: readonly unknown[] = Array.isArray(target) ? target : [];
    const next = [...list];
    next[Number(step)] = put(list[Number(step)], rest, value);
    return next;
  }
  const object =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? (target as Record<string, unknown>) : {};
  const { [step]: before, ...others } = object;
  const after = put(before, rest, value);
  // Spread first, so that the field keeps its position.
  return after === null ? others : { ...object, [step]: after };
};

/** Sets one field: `csi.storageClasses[0].name=fast`. The value is read as YAML; `null` removes the field. */
export const setPath = <T extends Json>(object: T, assignment: string): T => {
  const at = assignment.indexOf('=');
  if (at <= 0) throw refuse(assignment, 'the value is missing');
  const steps = assignment
    .slice(0, at)
    .replace(/^spec\./, '')
    .replace(/\[(\d+)\]/g, '.$1')
    .split('.');
  if (steps.some((step) => step === '' || step === '__proto__')) throw refuse(assignment, 'the path has an empty part');
  try {
    return put(object, steps, yamlValue(assignment.slice(at + 1))) as T;
  } catch (error) {
    throw refuse(assignment, error instanceof Error ? error.message : String(error));
  }
};
