import { driverName } from '@vdo/csi/driver';
import { persistentVolumes } from '@vdo/kube/types/core';
import { csiNodes, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { vmNames } from '../machines.ts';
import type { Truth } from '../truth.ts';
import type { World } from '../world.ts';

/** The id under which the driver has registered on a node. */
export const idOfNode = (world: World, node: string): string | undefined =>
  world
    .list(csiNodes)
    .find(({ metadata }) => metadata.name === node)
    ?.spec.drivers?.find(({ name }) => name === driverName)?.nodeID;

/** The node ids that an attachment may have to do with: that of the node now, and that of the time it was begun. */
export const idsOf = (world: World, { metadata, spec }: VolumeAttachment): readonly string[] => {
  const begun = metadata.annotations?.['csi.alpha.kubernetes.io/node-id'];
  const now = idOfNode(world, spec.nodeName);
  return [...(now === undefined ? [] : [now]), ...(begun === undefined ? [] : [begun])];
};

interface Share {
  readonly id: string;
  /** Who may mount it. */
  readonly allowed: readonly string[];
  readonly attachments: readonly VolumeAttachment[];
}

const sharesOf = (world: World, truth: Truth): readonly Share[] => {
  const attachments = world.list(volumeAttachments);
  return world.sim.volumes
    .list()
    .filter(({ type }) => type === 'FILE')
    .map(({ id, netPermissions }) => {
      const names = new Set(truth.fatesOf(id).map(({ name }) => name));
      return {
        id,
        allowed: netPermissions.filter(({ permissions }) => permissions !== 'NO_ACCESS').map(({ ips = '' }) => ips),
        attachments: attachments.filter(({ spec }) => names.has(spec.source.persistentVolumeName ?? '')),
      };
    });
};

const vmOf = (id: string | undefined): string => vmNames.get(id ?? '') ?? '';

/** `attached: true` of a share: the node may mount it, by an address that it has or had until lately. */
export const sharesLetInTheirNodes = (world: World, truth: Truth): readonly string[] =>
  sharesOf(world, truth).flatMap(({ id, allowed, attachments }) =>
    attachments
      .filter(({ metadata, status }) => status?.attached && metadata.deletionTimestamp === undefined)
      .filter(({ spec }) => {
        const addresses = world.addresses.everOf(vmOf(idOfNode(world, spec.nodeName)));
        return !allowed.some((ip) => addresses.has(ip));
      })
      .map(
        ({ metadata }) =>
          `not attached: ${metadata.name} says so, but share ${id} lets in ${allowed.join() || 'nobody'}`,
      ),
  );

/** Nobody may mount a share without a VolumeAttachment. */
export const sharesLetInNobodyElse = (world: World, truth: Truth): readonly string[] =>
  sharesOf(world, truth).flatMap(({ id, allowed, attachments }) => {
    const vms = new Set(attachments.flatMap((one) => idsOf(world, one)).map(vmOf));
    return allowed
      .filter((ip) => ![...vms].some((vm) => world.addresses.everOf(vm).has(ip)))
      .map((ip) => `loose: share ${id} lets in ${ip} without a VolumeAttachment`);
  });

/**
 * At rest a share lets in exactly the addresses that the nodes have to which it is attached. One whose PersistentVolume is being deleted
 * is not attached to further nodes, as with the upstream attacher; who has it keeps it, also when a user has taken the PersistentVolume
 * away by force, and is not followed to another address then.
 */
export const shareAddresses = (world: World, truth: Truth): readonly string[] => {
  const volumes = new Map(world.list(persistentVolumes).map((volume) => [volume.metadata.name, volume.metadata]));
  const addressesOf = (attachments: readonly VolumeAttachment[]) =>
    new Set(attachments.flatMap(({ spec }) => world.addresses.of(vmOf(idOfNode(world, spec.nodeName)))));
  return sharesOf(world, truth).flatMap(({ id, allowed, attachments }) => {
    const asked = attachments.filter(({ spec }) => volumes.has(spec.source.persistentVolumeName));
    const served = asked.filter(
      ({ spec, status }) =>
        status?.attached || volumes.get(spec.source.persistentVolumeName)?.deletionTimestamp === undefined,
    );
    const left = attachments.filter((one) => !asked.includes(one));
    const formerly = left.flatMap(({ spec }) => [...world.addresses.everOf(vmOf(idOfNode(world, spec.nodeName)))]);
    const mayEnter = new Set([...addressesOf(asked), ...formerly]);
    return [
      ...allowed.filter((ip) => !mayEnter.has(ip)).map((ip) => `share permission left: ${id} lets in ${ip}`),
      ...[...addressesOf(served)]
        .filter((ip) => !allowed.includes(ip))
        .map((ip) => `share permission missing: ${id} does not let in ${ip}`),
    ];
  });
};
