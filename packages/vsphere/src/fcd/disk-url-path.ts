import { VdoError } from '@vdo/base/vdo-error';

/**
 * The URL with which vCenter identifies a vmdk:
 * `[ds-1] kubevols/a.vmdk` of datacenter `/dc` → `https://vc/folder/kubevols/a.vmdk?dcPath=dc&dsName=ds-1`.
 * Throws VdoError InvalidArgument unless the path has the form `[datastore] path.vmdk`.
 */
export const diskUrlPath = (server: string, datacenterPath: string, diskPath: string): string => {
  const [, datastore, rest] = /^\[([^\]]+)\](.+)$/.exec(diskPath) ?? [];
  const file = rest?.trimStart() ?? '';
  if (datastore === undefined || !file.endsWith('.vmdk') || file === '.vmdk')
    throw new VdoError({
      code: 'InvalidArgument',
      message: `the disk path ${JSON.stringify(diskPath)} is not of the form "[datastore] folder/disk.vmdk"`,
      remedy: 'Use the path that vCenter shows in the settings of the VM disk or in the datastore browser.',
    });
  const path = file.split('/').map(encodeURIComponent).join('/');
  const datacenter = encodeURIComponent(datacenterPath.replace(/^\/+/, ''));
  const host = server.includes(':') ? `[${server}]` : server;
  return `https://${host}/folder/${path}?dcPath=${datacenter}&dsName=${encodeURIComponent(datastore)}`;
};
