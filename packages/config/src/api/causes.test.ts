import { describe, expect, it } from 'vitest';
import { causesOf, type Finding } from './causes.ts';

const finding = (id: string, result: string, reason: string, remedy = ''): Finding => ({
  id,
  result,
  reason,
  message: '',
  remedy,
});
const reported = (findings: readonly Finding[], unjudged?: number) =>
  causesOf(findings, unjudged).map(({ key, findings: [first, ...rest], hidden }) => [
    key,
    1 + rest.length,
    first.id,
    hidden,
  ]);

const down = finding('vcenter/tcp', 'Fail', 'VCenterUnreachable');
const waits = finding('node/vm-found', 'Unknown', 'DependsOnFailure', 'See vcenter/answers.');

describe('causes', () => {
  it('count checks that could not run under the failure that they name, that has the same reason, or that prevents access to vCenter', () => {
    expect(reported([down, waits, finding('storage/free-space', 'Unknown', 'VCenterUnreachable')])).toEqual([
      ['VCenterUnreachable', 1, 'vcenter/tcp', 2],
    ]);
    const tools = finding('node/tools-running', 'Fail', 'ToolsNotRunning');
    const full = finding('storage/free-space', 'Fail', 'DatastoreFull');
    const addresses = finding('node/addresses', 'Unknown', 'DependsOnFailure', 'See node/tools-running.');
    expect(reported([full, tools, addresses])).toEqual([
      ['DatastoreFull', 1, 'storage/free-space', 0],
      ['ToolsNotRunning', 1, 'node/tools-running', 1],
    ]);
  });

  it('also count those that exceed the limit of the status', () => {
    expect(reported([down, waits], 79)).toEqual([['VCenterUnreachable', 1, 'vcenter/tcp', 79]]);
    expect(reported([down], 79)).toEqual([['VCenterUnreachable', 1, 'vcenter/tcp', 79]]);
  });

  it('are one for many objects with the same reason, and several for different warnings', () => {
    const full = finding('storage/free-space', 'Fail', 'DatastoreFull');
    const old = finding('node/hardware-version', 'Warn', 'TooOld');
    expect(reported([full, full, old, finding('node/esxi-version', 'Warn', 'TooOld')])).toEqual([
      ['DatastoreFull', 2, 'storage/free-space', 0],
      ['node/hardware-version TooOld', 1, 'node/hardware-version', 0],
      ['node/esxi-version TooOld', 1, 'node/esxi-version', 0],
    ]);
  });

  it('list separately what no failure explains', () => {
    const full = finding('storage/free-space', 'Fail', 'DatastoreFull');
    const tools = finding('node/tools-running', 'Fail', 'ToolsNotRunning');
    expect(reported([full, tools, finding('cluster/cni-ready', 'Unknown', 'KubeForbidden')])).toHaveLength(3);
    expect(reported([finding('cluster/cni-ready', 'Unknown', 'KubeForbidden')], 1)).toEqual([
      ['KubeForbidden', 1, 'cluster/cni-ready', 0],
    ]);
  });
});
