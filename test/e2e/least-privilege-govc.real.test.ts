import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { startSimTestbed } from '@vdo/vdoctl/testing/sim-testbed';
import { administrator } from '@vdo/vdoctl/testing/sim-vcenter';
import { expect, it, onTestFinished } from 'vitest';
import { partPath } from '../harness/parts.ts';
import { run } from '../harness/run.ts';
import { vdoAccount } from './least-privilege-testbed.ts';

it('the script for govc gives an account what every check of privileges asks for', async () => {
  const testbed = await startSimTestbed({ cpi: {}, csi: { fileVolumes: {} } });
  onTestFinished(() => testbed.stop());
  testbed.vcenter.sim.control.setAccount(vdoAccount);
  const password = join(testbed.folder, 'password');
  await writeFile(password, vdoAccount.password, { mode: 0o600 });
  const verify = () =>
    runVdoctl([
      ...['vsphere', 'user', 'verify', '--kubeconfig', testbed.cluster.kubeconfig, '--file', testbed.file],
      ...['--user', vdoAccount.username, '--password-file', password],
    ]);
  expect((await verify()).exitCode).toBe(3);

  for (const fileVolumes of [true, false]) {
    if (!fileVolumes) await testbed.writeResource({ cpi: {}, csi: {} });
    const { out: script } = await runVdoctl([
      ...['vsphere', 'privileges', '-o', 'govc', '--principal', vdoAccount.username],
      ...[
        '--vm-folder',
        '/demo/vm/kubernetes',
        '--cluster',
        '/demo/host/compute-a',
        '--cluster',
        '/demo/host/compute-b',
      ],
      ...['--datastore', '/demo/datastore/vsanDatastore', ...(fileVolumes ? ['--file-volumes'] : [])],
    ]);
    await run('sh', ['-c', script], {
      env: {
        PATH: `${dirname(partPath('govc'))}:${process.env['PATH']}`,
        GOVC_URL: `https://${testbed.server}:${testbed.vcenter.port}/sdk`,
        GOVC_INSECURE: '1',
        GOVC_USERNAME: administrator.username,
        GOVC_PASSWORD: administrator.password,
      },
    });
    const verified = await verify();
    expect(verified.exitCode, verified.out + verified.err).toBe(0);
  }
});
