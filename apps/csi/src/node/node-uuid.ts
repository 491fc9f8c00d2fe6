import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const withHyphens = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

/** `VMware-42 12 9f … -8c 3e …` → the BIOS UUID in vCenter's byte order; undefined if it is not such a serial. */
const uuidOfSerial = (serial: string): string | undefined => {
  const hex = /^VMware-([0-9a-f -]+)$/i.exec(serial.trim())?.[1]?.replace(/[ -]/g, '').toLowerCase();
  return hex?.length === 32 ? withHyphens(hex) : undefined;
};

const unknown = (folder: string): VdoError =>
  new VdoError({
    code: 'NodeVmNotFound',
    message: `${folder} has neither a product_serial nor a product_uuid of a VMware VM`,
    remedy: 'The node role must run as root in a vSphere VM. Check that /sys of the host is mounted into its pod.',
  });

/**
 * The BIOS UUID of the VM in which this program runs. The serial is preferred because it has vCenter's byte order; in product_uuid the bytes of
 * the first groups may be swapped.
 */
export const readNodeUuid = async (sysfsRoot: string): Promise<string> => {
  const folder = join(sysfsRoot, 'class/dmi/id');
  const read = (file: string) => readFile(join(folder, file), 'utf8').catch(() => '');
  const bySerial = uuidOfSerial(await read('product_serial'));
  if (bySerial) return bySerial;
  const uuid = (await read('product_uuid')).trim().toLowerCase();
  if (uuidText.test(uuid)) return uuid;
  throw unknown(folder);
};
