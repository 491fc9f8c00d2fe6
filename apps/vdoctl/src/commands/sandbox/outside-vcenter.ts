import { withoutTrailing } from '@vdo/base/cut-text';
import { presentedCertificate } from '@vdo/base/http-client';
import { VdoError } from '@vdo/base/vdo-error';
import type { VCenterTrust } from '@vdo/sandbox/environment/sandbox-vcenter';
import type { OutsideVCenter } from '@vdo/sandbox/sandbox-options';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { VmHealth } from '@vdo/vsphere/health/health-reader';
import type { Ancestor } from '@vdo/vsphere/inventory/ancestors';
import { morefKey } from '@vdo/vsphere/wire/moref';
import type { CliContext } from '../../cli/context.ts';
import { confirm } from '../../output/confirm.ts';
import { chainOf, findByPath } from '../../shared/vsphere/inventory.ts';
import { confirmCertificate, isTrusted } from '../../shared/vsphere/trust-server.ts';
import type { VCenterFlags } from '../../shared/vsphere/vcenter-options.ts';
import { readCa, withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import type { SandboxFlags } from './commands.ts';

const flag = '--node-vms';

/** `https://host:port/sdk`, `host:port` and `host` alike. */
export const parseVCenterUrl = (text: string): { readonly server: string; readonly port: number } => {
  try {
    const url = new URL(text.includes('://') ? text : `https://${text}`);
    if (url.protocol === 'https:' && url.hostname !== '' && url.username === '' && url.password === '')
      return { server: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 443) };
  } catch {
    // Reported below.
  }
  throw new VdoError({
    code: 'InvalidArgument',
    message: `--vcenter ${text} is not a vCenter address: expected https://host or https://host:port`,
    remedy: 'Pass only the host. Pass the account with --user and --password-file, or enter it when asked.',
  });
};

/** The trust settings: from the flags, the CAs of this machine, or a certificate that the user has confirmed. */
const findTrust = async (
  context: CliContext,
  flags: SandboxFlags,
  at: { readonly server: string; readonly port: number },
): Promise<VCenterTrust> => {
  if (flags.insecure) return { insecure: true };
  if (flags.thumbprint !== undefined) return { thumbprints: [flags.thumbprint] };
  if (flags.caFile !== undefined) return { caBundle: await readCa(flags.caFile) };
  if (await isTrusted(context, at.server, at.port)) return {};
  if (!context.terminal.interactive) {
    const shown = await presentedCertificate(at.server, at.port);
    throw new VdoError({
      code: 'VCenterTlsUntrusted',
      message: `the certificate of ${at.server} is not signed by a CA that this machine trusts; its SHA-256 fingerprint is ${shown?.sha256 ?? 'unknown'}`,
      remedy: `Compare the fingerprint with the one shown by vCenter. If they are equal, add --thumbprint ${shown?.sha256 ?? 'FINGERPRINT'}. Or pass the CA certificate with --ca-file.`,
    });
  }
  const yes = (question: string) => confirm(context, { yes: false }, question);
  const thumbprint = await confirmCertificate(context, { yes }, at);
  return thumbprint === undefined ? {} : { thumbprints: [thumbprint] };
};

/** The VMs at the paths; each path is a VM or a folder. */
const findNodeVms = async (
  { inventory, health }: Pick<FullVCenter, 'inventory' | 'health'>,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly VmHealth[]> => {
  const tree = await inventory.read(['Folder', 'VirtualMachine'], { signal });
  const found = new Map<string, Ancestor>();
  for (const path of paths) {
    const chosen = findByPath(tree, path, { types: ['VirtualMachine', 'Folder'], flag });
    for (const [key, one] of tree)
      if (one.ref.type === 'VirtualMachine' && chainOf(tree, one.ref).some((ref) => morefKey(ref) === morefKey(chosen)))
        found.set(key, one);
  }
  const vms = await health.vms(
    [...found.values()].map(({ ref }) => ref),
    { signal },
  );
  return [...vms.values()].toSorted((left, right) => left.name.localeCompare(right.name, 'en', { numeric: true }));
};

/** The node name: the host name of the guest, otherwise the VM name. */
export const nodeNameOf = ({ hostName, name }: Pick<VmHealth, 'hostName' | 'name'>): string =>
  withoutTrailing(
    (hostName || name)
      .toLowerCase()
      .replace(/[^a-z0-9.-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 63),
    '.-',
  );

const nothingUsable = (paths: readonly string[], off: readonly VmHealth[]): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `${flag} ${paths.join(', ')}: vCenter has no powered-on VM there${off.length > 0 ? `; powered off: ${off.map(({ name }) => name).join(', ')}` : ''}`,
    remedy: `Power on a VM, or pass another VM or folder with ${flag}.`,
  });

const checkNodeVms = ({ nodeVms }: SandboxFlags, hasNodes: boolean): void => {
  if (hasNodes && nodeVms.length > 0)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${flag} has no effect on a cluster that has nodes`,
      remedy: `Remove ${flag}: the VMs of the nodes are found automatically.`,
    });
  if (!hasNodes && nodeVms.length === 0)
    throw new VdoError({
      code: 'InvalidArgument',
      message: '--vcenter needs the VMs to use as nodes',
      remedy: `Pass their inventory paths, or the path of their folder: ${flag} /DATACENTER/vm/FOLDER`,
    });
};

/** Logs in to the vCenter of the flags, and reads the VMs that will be nodes. Changes nothing. */
export const findOutsideVCenter = async (
  context: CliContext,
  flags: SandboxFlags & { readonly vcenter: string },
  /** The cluster already has nodes, so no VM is needed. */
  { hasNodes }: { readonly hasNodes: boolean },
): Promise<OutsideVCenter> => {
  const at = parseVCenterUrl(flags.vcenter);
  const { nodeVms } = flags;
  checkNodeVms(flags, hasNodes);
  const tls = await findTrust(context, flags, at);
  const { caFile: _, thumbprint: __, ...rest } = flags;
  const access: VCenterFlags = {
    ...rest,
    ...at,
    ...(tls.thumbprints?.[0] === undefined ? {} : { thumbprint: tls.thumbprints[0] }),
    ...(flags.caFile === undefined ? {} : { caFile: flags.caFile }),
  };
  return withVCenter(context, access, async (vcenter, account) => {
    const { signal } = context;
    const { version, instanceUuid } = await vcenter.about({ signal });
    const reached = { host: at.server, port: at.port, tls, instanceUuid, account };
    if (hasNodes) return { ...reached, summary: `${version} at ${at.server}`, nodes: [], vms: [] };
    const all = await findNodeVms(vcenter, nodeVms, signal);
    const vms = all.filter(({ powerState }) => powerState === 'poweredOn').slice(0, flags.nodes);
    if (vms.length === 0) throw nothingUsable(nodeVms, all);
    const names = vms.map(({ name }) => name).join(', ');
    return {
      ...reached,
      summary: `${version} at ${at.server}, using ${vms.length} of ${all.length} selected VMs: ${names}`,
      nodes: vms.map((vm) => ({ name: nodeNameOf(vm), uuid: vm.uuid })),
      vms: vms.map(({ ref }) => ref.value),
    };
  });
};
