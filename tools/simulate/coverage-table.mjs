/** Requests to the API server and to vCenter: what can happen to one can happen to all that go there. Other rows are of things. */
const kinds = [/^(create|update|patch|delete|get|list) /, /^(Cns\w+|RetrievePropertiesEx|FindAllByUuid|Login)$/];
/** Of a fault that one request in many suffers; others, such as a restart, are no business of single requests. */
const common = 3;

/** Nobody reads or creates what somebody else has changed meanwhile. */
const isImpossible = (fault, operation) => fault === '409' && /^(get|list|create) /.test(operation);

/** The pairs of fault and operation that could meet and did not. */
const neverMet = (pairs) => {
  const met = new Set(pairs.map((pair) => pair.join(' × ')));
  const missing = kinds.flatMap((kind) => {
    const own = pairs.filter(([, operation]) => kind.test(operation));
    const operations = [...new Set(own.map(([, operation]) => operation))].sort();
    const faults = [...new Set(own.map(([fault]) => fault))].sort();
    const striking = faults.filter((fault) => own.filter(([other]) => other === fault).length >= common);
    return striking.flatMap((fault) =>
      operations
        .filter((operation) => !isImpossible(fault, operation))
        .map((operation) => `${fault} × ${operation}`)
        .filter((pair) => !met.has(pair)),
    );
  });
  return missing.length === 0
    ? 'every fault met every operation'
    : `${missing.length} pairs never met: ${missing.join(', ')}`;
};

export const sumOf = (coverages) => {
  const counts = {};
  for (const coverage of coverages)
    for (const [key, count] of Object.entries(coverage)) counts[key] = (counts[key] ?? 0) + count;
  return counts;
};

/** A Markdown table of how often each kind of fault met each operation; an empty cell is a pair that was never met. */
export const coverageTable = (coverages) => {
  const counts = sumOf(coverages);
  const pairs = Object.keys(counts).map((key) => key.split('\t'));
  const faults = [...new Set(pairs.map(([fault]) => fault))].sort();
  const operations = [...new Set(pairs.map(([, operation]) => operation))].sort();
  const rows = operations.map(
    (operation) => `| ${operation} | ${faults.map((fault) => counts[`${fault}\t${operation}`] ?? '').join(' | ')} |`,
  );
  const table = [`| | ${faults.join(' | ')} |`, `|---|${faults.map(() => '---:').join('|')}|`, ...rows];
  return [...table, '', neverMet(pairs)].join('\n');
};
