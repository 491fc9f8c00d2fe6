import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { busyboxRoot } from '../harness/busybox-image.ts';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { imageArchive } from '../harness/oci-image.ts';
import { partPath } from '../harness/parts.ts';
import { spawnLogged } from '../harness/process.ts';
import { programFiles, withFolders } from '../harness/program-files.ts';
import { run } from '../harness/run.ts';
import { type KubeletTestbed, startKubeletTestbed } from './kubelet-testbed.ts';
import { summarize, writeSummary } from './storage-suite-report.ts';

const driver = 'csi.vsphere.vmware.com';
/** Specs at the same time: they mostly wait. */
const processes = process.env['VDO_SUITE_PROCESSES'] ?? '4';
const focus = process.env['VDO_SUITE_FOCUS'] ?? 'External.Storage';
const skip = process.env['VDO_SUITE_SKIP'] ?? '\\[Disruptive\\]|\\[Serial\\]';
const timeout = process.env['VDO_SUITE_TIMEOUT'] ?? '3h';

// What users have who install the driver with a class of their own. Where the suite is run decides two things: growing a mounted
// ext4 takes CAP_SYS_RESOURCE, which not every machine has, so the default is xfs; and one node is all there is.
const definition = {
  StorageClass: { FromExistingClassName: 'xfs' },
  SnapshotClass: { FromExistingClassName: 'snap' },
  DriverInfo: {
    Name: driver,
    SupportedSizeRange: { Min: '320Mi', Max: '64Ti' },
    SupportedFsType: { '': {}, ext3: {}, ext4: {}, xfs: {} },
    SupportedMountOption: { noatime: {} },
    RequiredAccessModes: ['ReadWriteOnce'],
    TopologyKeys: ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'],
    NumAllowedTopologies: 1,
    Capabilities: {
      persistence: true,
      block: true,
      fsGroup: true,
      exec: true,
      snapshotDataSource: true,
      pvcDataSource: true,
      multipods: true,
      RWX: false,
      controllerExpansion: true,
      nodeExpansion: true,
      offlineExpansion: true,
      onlineExpansion: true,
      topology: true,
      readWriteOncePod: true,
    },
  },
};

// Every vCenter with vSAN has this policy.
const attributesClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttributesClass',
  metadata: { name: 'vsan-default' },
  driverName: driver,
  parameters: { storagepolicyname: 'vSAN Default Storage Policy' },
};

let testbed: KubeletTestbed;
let folder: TempFolder;

/** Images of the names that the suite asks for, made of busybox and of its own helper. */
const suiteImages = async (): Promise<readonly Buffer[]> => {
  const names = (await run(partPath('e2e.test'), ['--list-images'])).split('\n').map((line) => line.trim());
  // Some specs use options of dd that busybox does not have, and its shell takes no other dd than its own.
  const shell = { path: 'bin/sh', linkTo: '/usr/bin/dash' };
  const small = (await busyboxRoot()).filter(({ path }) => path !== shell.path);
  const files = [...small, shell, ...withFolders(await programFiles(['dd', 'dash']))];
  const agnhost = { path: 'agnhost', content: await readFile(partPath('agnhost')) };
  return names.flatMap((name) => {
    // Of the last two the suite uses the shell and dd only.
    if (/\/(busybox|nginx|jessie-dnsutils):/.test(name)) return [imageArchive({ name, files })];
    return name.includes('/agnhost:')
      ? [imageArchive({ name, files: [...files, agnhost], entrypoint: ['/agnhost'] })]
      : [];
  });
};

beforeAll(async () => {
  folder = await createTempFolder('suite');
  const extra = ['pod-garbage-collector-controller', 'volumeattributesclass-protection-controller'];
  testbed = await startKubeletTestbed({ archives: await suiteImages(), controllers: extra });
  const VolumeAttributesClass = { FromFile: folder.file('attributes-class.json') };
  await writeFile(VolumeAttributesClass.FromFile, JSON.stringify(attributesClass));
  await writeFile(folder.file('driver.json'), JSON.stringify({ ...definition, VolumeAttributesClass }));
});
afterAll(async () => {
  await testbed?.stop();
  await folder?.remove();
});

it('passes the external storage suite of Kubernetes, as far as one node can run it', async () => {
  const reports = folder.file('reports');
  await mkdir(reports);
  const suite = spawnLogged(
    partPath('ginkgo'),
    [
      ...[`--procs=${processes}`, `--timeout=${timeout}`, `--focus=${focus}`, `--skip=${skip}`],
      ...['--keep-going', '--json-report=report.json', `--output-dir=${reports}`, '--no-color', '--grace-period=30s'],
      partPath('e2e.test'),
      '--',
      ...[`--kubeconfig=${testbed.plane.kubeconfigPath}`, '--provider=skeleton', '--minStartupPods=0'],
      `--storage.testdriver=${folder.file('driver.json')}`,
    ],
    { name: 'e2e.test', cwd: folder.path },
  );
  await suite.exited;
  const text = await readFile(join(reports, 'report.json'), 'utf8').catch(() => {
    throw new Error(`the suite left no report\n${suite.tail()}`);
  });
  const summary = summarize(JSON.parse(text));
  const written = process.env['VDO_SUITE_REPORT'];
  if (written) await writeFile(written, writeSummary(summary));
  console.log(writeSummary(summary));
  expect(summary.failed).toEqual([]);
  expect(summary.passed.length).toBeGreaterThan(0);
});
