import type { FieldPlan, Plan, Registry } from '@vdo/vsphere/wire/registry';
import type { Method } from '@vdo/vsphere/wire/schema';
import type { FieldFacts } from '@vdo/vsphere/wire/table/read-table';
import type { TypeTable } from '@vdo/vsphere/wire/table/type-table';

/** What one of our wire types or methods says that the table does not: `CnsVolume.name: string here, long there`. */
export type Deviation = string;

type Shape = Pick<FieldFacts, 'type' | 'isRef' | 'isArray' | 'isOptional'>;

const planName = (plan: Plan): string => {
  if (plan.kind === 'scalar') return plan.wireName.replace(/^xsd:/, '');
  return plan.kind === 'object' ? plan.name : plan.kind === 'ref' ? 'a reference' : 'anyType';
};

const factName = ({ type, isRef }: Shape): string => (isRef ? 'a reference' : type);

const compareField = (where: string, field: FieldPlan, facts: Shape, sent: boolean): readonly Deviation[] => {
  const found: Deviation[] = [];
  if (planName(field.item) !== factName(facts))
    found.push(`${where}: ${planName(field.item)} here, ${factName(facts)} there`);
  if (field.repeated !== facts.isArray)
    found.push(`${where}: ${field.repeated ? 'repeats here only' : 'repeats there only'}`);
  if (field.repeated) return found;
  if (field.required && facts.isOptional) found.push(`${where}: may be absent`);
  if (sent && !field.required && !facts.isOptional) found.push(`${where}: must be sent`);
  return found;
};

export const compareFields = (
  where: string,
  order: readonly FieldPlan[],
  facts: readonly FieldFacts[],
  sent: boolean,
): readonly Deviation[] => {
  const found: Deviation[] = [];
  const places = new Map(facts.map((fact, place) => [fact.name, { fact, place }]));
  let last = -1;
  for (const field of order) {
    const there = places.get(field.name);
    if (!there) {
      found.push(`${where}.${field.name}: not there`);
      continue;
    }
    if (there.place < last) found.push(`${where}.${field.name}: stands earlier there`);
    last = Math.max(last, there.place);
    found.push(...compareField(`${where}.${field.name}`, field, there.fact, sent));
  }
  const here = new Set(order.map(({ name }) => name));
  if (sent)
    for (const { name, isOptional, isArray } of facts)
      if (!isOptional && !isArray && !here.has(name)) found.push(`${where}.${name}: must be sent`);
  return found;
};

/** Every data object type that a request may hold, by what its parameters declare and what extends that. */
export const sentTypes = (registry: Registry, methods: readonly Method[]): ReadonlySet<string> => {
  const sent = new Set<string>();
  const add = (plan: Plan): void => {
    if (plan.kind !== 'object' || sent.has(plan.name)) return;
    sent.add(plan.name);
    for (const { item } of plan.order) add(item);
    for (const name of registry.names()) {
      const other = registry.find(name);
      if (other?.base?.name === plan.name) add(other);
    }
  };
  for (const { request } of methods) for (const { item } of registry.planOf(request).order) add(item);
  return sent;
};

const compareMethod = (registry: Registry, table: TypeTable, method: Method): readonly Deviation[] => {
  const facts = table.method(method.namespace, method.name);
  if (!facts) return [`${method.name}(): ${method.namespace} has no such method`];
  const [target, ...params] = registry.planOf(method.request).order;
  const found: Deviation[] = target?.name === '_this' ? [] : [`${method.name}(): has no _this`];
  found.push(...compareFields(`${method.name}()`, params, facts.params, true));
  const result = registry.planOf(method.response).order[0];
  if (!result && facts.result.type !== 'void') found.push(`${method.name}(): returns ${factName(facts.result)}`);
  if (result) found.push(...compareField(`${method.name}() result`, result, facts.result, false));
  return found;
};

/** Compares each of our wire types and methods with the table. */
export const compareWire = (
  table: TypeTable,
  ours: { readonly registry: Registry; readonly methods: readonly Method[] },
): readonly Deviation[] => {
  const { registry, methods } = ours;
  const sent = sentTypes(registry, methods);
  const found: Deviation[] = methods.flatMap((method) => compareMethod(registry, table, method));
  for (const name of registry.names()) {
    const plan = registry.find(name);
    const facts = table.types.get(name);
    if (!plan) continue;
    if (!facts) found.push(`${name}: not there`);
    else {
      const base = plan.base?.name ?? (facts.kind === 'fault' && name === 'MethodFault' ? facts.base : 'DynamicData');
      if (base !== facts.base && facts.base !== 'DataObject') found.push(`${name}: extends ${facts.base}`);
      found.push(...compareFields(name, plan.order, table.fieldsOf(name), sent.has(name)));
    }
  }
  return found;
};
