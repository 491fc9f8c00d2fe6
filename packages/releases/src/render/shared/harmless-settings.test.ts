import { expect, it } from 'vitest';
import { renderWorld } from '../../testing/rendered-worlds.ts';

const render = (csiNode: object) => () => renderWorld('Native', { advanced: { csiNode } });

it.each([
  [{ env: { NODE_OPTIONS: '--require=/csi/evil.js' } }, 'env.NODE_OPTIONS'],
  [{ env: { TZ: 'UTC', LD_PRELOAD: '/csi/evil.so' } }, 'env.LD_PRELOAD'],
  [{ env: { PATH: '/csi' } }, 'env.PATH'],
  [{ env: { NODE_EXTRA_CA_CERTS: '/csi/ca' } }, 'env.NODE_EXTRA_CA_CERTS'],
  [{ extraArgs: ['--simulate-mounts=/etc/cron.d/x'] }, 'extraArgs[0]'],
  [{ extraArgs: ['--log-level=debug', '--csi-endpoint=unix:///dev/x'] }, 'extraArgs[1]'],
  [{ extraArgs: ['--log-level', 'debug'] }, 'extraArgs[0]'],
  [{ extraArgs: ['-r', '/csi/evil.js'] }, 'extraArgs[0]'],
])('refuses %o of the privileged pods', (csiNode, field) => {
  expect(render(csiNode)).toThrow(`spec.advanced.csiNode.${field} is not allowed`);
});

it('accepts settings that only tune them, and does not apply to the other pods', () => {
  const objects = render({
    extraArgs: ['--max-volumes=59'],
    env: { HTTPS_PROXY: 'http://proxy', X_CSI_MODE: 'node' },
  })();
  expect(JSON.stringify(objects)).toContain('--max-volumes=59');
  expect(() => renderWorld('Native', { advanced: { csiController: { env: { NODE_OPTIONS: 'x' } } } })).not.toThrow();
});
