import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseVSphereDrivers } from './parse-vsphere-drivers.ts';
import { vsphereDrivers } from './vsphere-drivers.ts';

const folder = new URL('../../../../deploy/samples/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

describe('deploy/samples', () => {
  it.each(files)('%s is accepted', (file) => {
    const object = parse(readFileSync(new URL(file, folder), 'utf8'));
    expect(object.apiVersion).toBe(`${vsphereDrivers.group}/${vsphereDrivers.version}`);
    expect(object.kind).toBe(vsphereDrivers.kind);
    expect(() => parseVSphereDrivers(object)).not.toThrow();
  });

  it('shows the usual case in 12 lines', () => {
    expect(readFileSync(new URL('minimal.yaml', folder), 'utf8').trimEnd().split('\n')).toHaveLength(12);
  });
});
