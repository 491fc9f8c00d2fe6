/** A Markdown table of how often each kind of fault met each operation; an empty cell is a pair that was never met. */
export const coverageTable = (coverages) => {
  const counts = {};
  for (const coverage of coverages)
    for (const [key, count] of Object.entries(coverage)) counts[key] = (counts[key] ?? 0) + count;
  const pairs = Object.keys(counts).map((key) => key.split('\t'));
  const faults = [...new Set(pairs.map(([fault]) => fault))].sort();
  const operations = [...new Set(pairs.map(([, operation]) => operation))].sort();
  const rows = operations.map(
    (operation) => `| ${operation} | ${faults.map((fault) => counts[`${fault}\t${operation}`] ?? '').join(' | ')} |`,
  );
  return [`| | ${faults.join(' | ')} |`, `|---|${faults.map(() => '---:').join('|')}|`, ...rows].join('\n');
};
