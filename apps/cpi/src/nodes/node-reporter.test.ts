import { silentLogger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, test } from 'vitest';
import { node } from '../testing/node.ts';
import { createNodeReporter } from './node-reporter.ts';

const problem = (message: string) => new VdoError({ code: 'NodeVmNotFound', message, remedy: 'Look there.' });

const setup = () => {
  const events: string[] = [];
  const logs: string[] = [];
  const reporter = createNodeReporter({
    record: (object, { type, reason, message }) => events.push(`${object.metadata.name} ${type} ${reason}: ${message}`),
    logger: { ...silentLogger, warn: (message) => logs.push(message), info: (message) => logs.push(message) },
  });
  return { events, logs, reporter };
};

describe('createNodeReporter', () => {
  test('tells a problem with its remedy, once', () => {
    const { events, logs, reporter } = setup();
    reporter.report(node(), 'sync', problem('no VM'));
    reporter.report(node(), 'sync', problem('no VM'));
    expect(events).toEqual(['node-1 Warning NodeVmNotFound: no VM. Look there.']);
    expect(logs).toEqual(['node has a problem']);
  });

  test('tells it again when it changed, came back, or is about another topic or node', () => {
    const { events, reporter } = setup();
    reporter.report(node(), 'sync', problem('no VM'));
    reporter.report(node(), 'sync', problem('two VMs'));
    reporter.report(node(), 'topology', problem('two VMs'));
    reporter.report(node({ name: 'node-2' }), 'sync', problem('two VMs'));
    reporter.report(node(), 'sync', undefined);
    reporter.report(node(), 'sync', problem('two VMs'));
    expect(events).toHaveLength(5);
  });

  test('says once that a problem is over', () => {
    const { logs, reporter } = setup();
    reporter.report(node(), 'sync', undefined);
    reporter.report(node(), 'sync', problem('no VM'));
    reporter.report(node(), 'sync', undefined);
    reporter.report(node(), 'sync', undefined);
    expect(logs).toEqual(['node has a problem', 'node problem resolved']);
  });

  test('keeps events within what the API server takes', () => {
    const { events, reporter } = setup();
    reporter.report(node(), 'sync', problem('x'.repeat(2000)));
    expect(events[0]?.length).toBeLessThan(1100);
  });
});
