import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { describe, expect, it } from 'vitest';
import { createQualifyTestbed } from '../../../../testing/qualify-testbed.ts';
import { recordOf } from './record-file.ts';
import { redactXml } from './redact-exchange.ts';
import { createRedactor } from './redactor.ts';
import { apiWords } from './words.ts';

const planted = { username: 'jdoe-planted@vsphere.local', password: 'Tr0ub4dor&3-planted' };

/** An inventory in which everything has a name that could tell somebody something. */
const plantedModel = (): VSphereModel => {
  const text = JSON.stringify(demoModel())
    .replaceAll('"demo"', '"Zürich & Söhne"')
    .replaceAll('/demo/', '/Zürich & Söhne/')
    .replaceAll('demo.example', 'corp.acme.example')
    .replaceAll('node-', 'payroll-db-')
    .replaceAll('kubernetes', 'acme [secret] plans')
    .replaceAll('vsanDatastore', 'gold <ssd> 01')
    .replaceAll('"Kubernetes"', '"backup-lan"')
    .replaceAll('zone-', 'geneva-')
    .replaceAll('10.10.0.', '10.77.3.');
  const model = JSON.parse(text) as VSphereModel;
  return {
    ...model,
    users: [...(model.users ?? []), planted],
    permissions: [...(model.permissions ?? []), { principal: planted.username, role: 'Admin', path: '/' }],
  };
};
const site = {
  folder: '/Zürich & Söhne/vm/acme [secret] plans',
  vm: 'payroll-db-1',
  datastore: '/Zürich & Söhne/datastore/gold <ssd> 01',
};

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

describe('what a run shows to strangers', () => {
  it('holds no name and no secret of the vCenter, in the report and in the record', async () => {
    const model = plantedModel();
    const testbed = createQualifyTestbed('8.0.3', model);
    const { report, observer, qualification } = await testbed.run({ site, account: planted });
    expect(qualification.steps.filter(({ verdict }) => verdict === 'fails')).toEqual([]);
    const record = recordOf({ report, wish: site, username: planted.username, exchanges: observer.exchanges });
    const raw = JSON.stringify(observer.exchanges);
    const shown = JSON.stringify([report, record]);
    const theirs = [...stringsIn(model), ...Object.values(planted), ...site.vm, testbed.sim.instanceUuid]
      .flatMap((text) => [text, ...text.split(/[/@]/)])
      .filter((text) => text.length > 3 && !apiWords().has(text) && !/^[\d.]+$/.test(text.replace(/^10\./, 'x')));
    const leaked = [...new Set(theirs)].filter((text) => shown.includes(JSON.stringify(text).slice(1, -1)));
    expect(leaked).toEqual([]);
    // The names were there to be hidden.
    for (const name of ['payroll-db-1', 'corp.acme.example', 'jdoe-planted', testbed.sim.instanceUuid])
      expect(raw).toContain(name);
    expect(shown).not.toMatch(/10\.77\.3|planted|vmware_soap_session=/);
  });

  it('hides secrets whatever they look like', () => {
    const redactor = createRedactor();
    const xml = redactXml('<Login><userName>vm</userName><password>12345</password></Login>', redactor);
    expect(xml).toBe('<Login><userName>vm</userName><password>[redacted]</password></Login>');
    expect(redactXml('<a serverGuid="x y" xsi:type="T"><!-- who --><![CDATA[me]]></a>', redactor)).not.toMatch(
      /who|me\b|x y/,
    );
  });

  const texts: readonly (readonly [string, RegExp])[] = [
    ['[gold plated] fcd/5f3c.vmdk', /^\[n\d+ n\d+\] fcd\/n\d+\.vmdk$/],
    ['config.hardware.device', /^config\.hardware\.device$/],
    ['420f5a1e-77aa-4b1c-9c1d-1234567890ab', /^00000001-0002-0003-8000-\d{12}$/],
    ['1e5a0f42-aa77-1c4b-9c1d-1234567890ab', /^00000001-0002-0003-8000-\d{12}$/],
    ['10.77.3.4', /^198\.51\.0\.\d+$/],
    ['fd00:77::1', /^2001:db8::1$/],
    ['8.0.3.0', /^8\.0\.3\.0$/],
    ['vm-42', /^vm-42$/],
    ['customer-42', /^n\d+$/],
    ['2026-01-01T00:00:00Z', /^2026-01-01T00:00:00Z$/],
    ['vdo-qualify-vm-42-0a1b2c3d-disk', /^vdo-qualify-vm-42-0a1b2c3d-disk$/],
  ];
  it.each(texts)('makes of %s what is safe and still fits', (text, wanted) => {
    const redactor = createRedactor();
    expect(redactor.text(text)).toMatch(wanted);
    expect(redactor.text(text)).toBe(redactor.text(text));
  });
});
