import { parse } from 'yaml';
import { renderCrds } from './crds.ts';
import { renderHelmChart } from './packaging/helm-chart.ts';
import { renderOlmBundle } from './packaging/olm-bundle.ts';

const header = '# Generated from tools/generators/packaging. Do not edit: npm run generate.\n';
const titled = (path: string, text: string): string => (path.endsWith('.yaml') ? header + text : text);

export interface PackagingOptions {
  readonly version: string;
  /** Texts of deploy/samples. */
  readonly samples: readonly string[];
}

/** deploy/helm and deploy/olm. */
export const renderPackages = ({ version, samples }: PackagingOptions): ReadonlyMap<string, string> => {
  const crds = new Map([...renderCrds()].map(([path, text]) => [path.replace(/^.*\//, ''), text]));
  const chart = [...renderHelmChart({ version, crds })].map(
    ([path, text]) => [`deploy/helm/vdo/${path}`, text] as const,
  );
  const bundle = [...renderOlmBundle({ version, crds, samples: samples.map((text) => parse(text)) })].map(
    ([path, text]) => [`deploy/olm/${path}`, text] as const,
  );
  return new Map(
    [...chart, ...bundle].map(([path, text]) => [path, text.startsWith('# Generated') ? text : titled(path, text)]),
  );
};
