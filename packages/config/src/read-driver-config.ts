import type { AddressRules, DriverConfig } from './driver-config.ts';
import { names } from './names.ts';
import { configInvalid, createProblemList, type Problem, type ProblemList, warningsOf } from './problems.ts';
import { type Environment, overlayEnvironment } from './read/environment.ts';
import { iniSpelling, yamlSpelling } from './read/ini-keys.ts';
import { readRawIni } from './read/raw-ini.ts';
import { readRawYaml } from './read/raw-yaml.ts';
import { readCsi } from './read/read-csi.ts';
import { readInTree } from './read/read-in-tree.ts';
import { readVCenters } from './read/read-vcenters.ts';
import { createSectionReader, type SectionReader } from './read/section-reader.ts';

export interface ReadDriverConfigOptions {
  /** With `warn`, a driver accepts the same files as the Go drivers; `refuse` is for the operator, vdoctl and `--strict-config`. */
  readonly unknownKeys: 'warn' | 'refuse';
  /** The name of the file in messages. Default `vsphere.conf`. */
  readonly source?: string;
  /** Adds the rules for the storage driver. Default `cpi`. */
  readonly driver?: 'cpi' | 'csi';
  /** Variables that override the file, as the Go cloud controller manager reads them. Default: none. */
  readonly env?: Environment;
}

export interface ReadDriverConfigResult {
  readonly config: DriverConfig;
  /** Sorted by line. */
  readonly warnings: readonly Problem[];
  readonly format: ConfigFormat;
}

export type ConfigFormat = 'yaml' | 'ini';

/** INI begins with a section header; a YAML configuration cannot. */
export const detectFormat = (text: string): ConfigFormat => {
  const first = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !/^[#;]/.test(line));
  const isIni = first !== undefined && (first.startsWith('[') || /^[\p{L}][\p{L}\p{Nd}-]*\s*=/u.test(first));
  return isIni ? 'ini' : 'yaml';
};

const readAddresses = (nodes: SectionReader, side: 'Internal' | 'External'): AddressRules => {
  const lower = side.toLowerCase();
  const network = nodes.text(`${lower}VmNetworkName`);
  return {
    subnets: nodes.cidrs(`${lower}NetworkSubnetCidr`) ?? [],
    ...(network === undefined ? {} : { network }),
    exclude: nodes.cidrs(`exclude${side}NetworkSubnetCidr`) ?? [],
  };
};

const readLabels = (labels: SectionReader): DriverConfig['labels'] => {
  const region = labels.text('region');
  const zone = labels.text('zone');
  return { ...(region === undefined ? {} : { region }), ...(zone === undefined ? {} : { zone }) };
};

const nsxSections = ['loadBalancer', 'loadBalancerClass', 'route', 'nsxt'];

const reportUnserved = (file: SectionReader, problems: ProblemList): void => {
  for (const key of nsxSections.filter((section) => file.has(section))) {
    const line = file.lineOf(key);
    problems.warn({
      ...(line === undefined ? {} : { line }),
      field: key,
      message: 'configures NSX-T load balancers or routes, which this program does not support; it has no effect',
      remedy: 'Remove the section, or keep the Go cloud controller manager for NSX-T.',
    });
  }
  file.ignore('gc');
};

const reportForCsi = ({ vcenters, csi, labels }: DriverConfig, problems: ProblemList): void => {
  if (vcenters.length > 5) {
    problems.error({
      field: 'vcenter',
      message: `${vcenters.length} vCenters; storage supports at most 5`,
      remedy: 'Remove some of them.',
    });
  }
  if (vcenters.length > 1 && csi.topologyCategories.length === 0 && !labels.zone && !labels.region) {
    problems.error({
      field: 'csi.topologyCategories',
      message: 'storage on several vCenters needs topology categories, but none are set',
      remedy:
        'Set topologyCategories (INI: topology-categories in [Labels]) to the vSphere tag categories of your zones and regions.',
    });
  }
};

/**
 * Reads a driver's configuration file: `vsphere.conf` in YAML or INI, `csi-vsphere.conf`, or the in-tree provider's
 * file. Throws VdoError ConfigInvalid that lists every problem with its line and the edit.
 */
export const readDriverConfig = (text: string, options: ReadDriverConfigOptions): ReadDriverConfigResult => {
  const { unknownKeys, source = names.configKey } = options;
  const problems = createProblemList();
  const format = detectFormat(text);
  const written = format === 'ini' ? readRawIni(text, { problems, unknownKeys }) : readRawYaml(text, problems);
  const raw = overlayEnvironment(written, { env: options.env ?? {}, problems });
  const spelling =
    format === 'ini'
      ? { otherSpelling: iniSpelling, spell: (key: string) => iniSpelling(key) ?? key }
      : { otherSpelling: yamlSpelling, spell: (key: string) => key };
  const file = createSectionReader(raw, { path: '', problems, unknownKeys, ...spelling });
  const globalSection = file.section('global');
  const vcenters = readVCenters({ file, globalSection, problems });
  const nodes = file.section('nodes');
  const inTree = readInTree(file, globalSection);
  const config: DriverConfig = {
    vcenters,
    labels: readLabels(file.section('labels')),
    nodes: { internal: readAddresses(nodes, 'Internal'), external: readAddresses(nodes, 'External') },
    csi: readCsi(file.section('csi')),
    ...(inTree ? { inTree } : {}),
  };
  reportUnserved(file, problems);
  file.done();
  if (options.driver === 'csi') reportForCsi(config, problems);
  const invalid = configInvalid(source, problems.all);
  if (invalid) throw invalid;
  return { config, warnings: warningsOf(problems.all), format };
};
