/** A wrong behaviour of a client, planted in ours, and the test that must notice it. */
export interface Mutation {
  /** What a live vCenter does, in short. */
  readonly fact: string;
  readonly fault: string;
  readonly file: string;
  readonly search: string;
  readonly replace: string;
  readonly test: string;
  /** Part of the test's name: with it, the release on which it is noticed. */
  readonly name: string;
}

const vsphere = 'packages/vsphere/src';
const profiles = 'test/vsphere-schema/profiles.test.ts';
const stories = 'test/stories';
const takes = (release: string): string => `${release} takes every call`;
const odd = (release: string): string => `${release} may do all`;

const versions: readonly Mutation[] = [
  {
    fact: 'names of vSAN versions have blanks',
    fault: 'a name ends at the first blank',
    file: `${vsphere}/session/vsan-version.ts`,
    search: 'version = reply.status === 200 ? versionPattern.exec(body)?.[1]?.trim() || undefined : undefined;',
    replace:
      "version = reply.status === 200 ? versionPattern.exec(body)?.[1]?.trim().split(' ')[0] || undefined : undefined;",
    test: profiles,
    name: takes('7.0.1'),
  },
  {
    fact: 'a vim25 caller does not get the results of CNS tasks',
    fault: 'tasks of CNS are read as a vim25 caller',
    file: `${vsphere}/session/vim-session.ts`,
    search: "namespace: () => (vsanVersion.current() === undefined ? undefined : 'urn:vsan'),",
    replace: 'namespace: () => undefined,',
    test: profiles,
    name: takes('8.0.3'),
  },
  {
    fact: 'a caller without a version is answered as of 2.5: no vStorageObjectManager, no instanceUuid',
    fault: 'the service content is not asked for again',
    file: `${vsphere}/session/vim-session.ts`,
    search:
      '    const { about } = await askContent(call);\n    version = spokenVersion(about.apiVersion);\n    return askContent(call);',
    replace:
      '    const content = await askContent(call);\n    version = spokenVersion(content.about.apiVersion);\n    return content;',
    test: profiles,
    name: takes('8.0.3'),
  },
  {
    fact: 'elements that a version does not know are refused',
    fault: 'every version is sent everything',
    file: `${vsphere}/soap/soap-client.ts`,
    search: '    return { ...wireTypes, speaks };',
    replace: '    return wireTypes;',
    test: profiles,
    name: takes('6.7.3'),
  },
  {
    fact: 'elements that a version does not know are refused',
    fault: 'what may be left out is refused',
    file: `${vsphere}/wire/api-version.ts`,
    search: "  'CnsContainerCluster.clusterDistribution',\n",
    replace: '',
    test: profiles,
    name: takes('7.0.1'),
  },
  {
    fact: 'calls have come with versions: shares, access, snapshots, relocation, policies',
    fault: 'a call that the version lacks is sent',
    file: `${vsphere}/soap/soap-client.ts`,
    search: 'const speaks = speakerOf(namespace, version);',
    replace: 'const speaks = speakerOf(namespace, version) && (() => true);',
    test: profiles,
    name: takes('7.0.3'),
  },
  {
    fact: 'entities of 6.7U3 have no clusterId: it is that of containerCluster',
    fault: 'it is looked for in the entity alone',
    file: `${vsphere}/cns/cns-specs.ts`,
    search: "entity.clusterId ?? metadata?.containerCluster.clusterId ?? '';",
    replace: "entity.clusterId ?? '';",
    test: profiles,
    name: takes('6.7.3'),
  },
  {
    fact: 'PbmCheckRequirements is of pbm 6.5: a version must be named',
    fault: 'calls about policies name no version',
    file: `${vsphere}/session/api-version.ts`,
    search: "spoken === undefined ? undefined : newestIncluded('urn:pbm', spoken);",
    replace: 'spoken === undefined ? spoken : undefined;',
    test: profiles,
    name: takes('8.0.3'),
  },
];

const sessions: readonly Mutation[] = [
  {
    fact: 'cookies of /pbm are not valid at /sdk',
    fault: 'there is one jar for all endpoints',
    file: `${vsphere}/session/vim-session.ts`,
    search: '        cookies: policyCookies,\n',
    replace: '',
    test: profiles,
    name: takes('8.0.3'),
  },
  {
    fact: 'calls without a session get an anonymous cookie',
    fault: 'any cookie of /sdk is taken for the session',
    file: `${vsphere}/session/vim-session.ts`,
    search: '      onUnreadable: unreadable.note,\n',
    replace: '      onUnreadable: unreadable.note,\n      acceptsCookies: true,\n',
    test: `${vsphere}/session/live-session.test.ts`,
    name: 'of the login alone are used at /sdk',
  },
  {
    fact: '/api/session is there from 7.0U2 on; before, something else answers',
    fault: 'the newer path is tried everywhere',
    file: `${vsphere}/rest/rest-client.ts`,
    search: "compareVersions(apiVersion, '7.0.2') < 0",
    replace: "compareVersions(apiVersion, '1.0') < 0",
    test: profiles,
    name: takes('7.0.1'),
  },
  {
    fact: 'PasswordExpired extends InvalidLogin, and calls for something else',
    fault: 'an expired password is called a wrong one',
    file: `${vsphere}/soap/fault-error.ts`,
    search: 'const known = refusals[fault.$type];',
    replace: 'const known: { why: string; remedy: string } | undefined = undefined;',
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'subtypes of faults matter: VAppTaskInProgress is a TaskInProgress',
    fault: 'a subtype is not known by its base',
    file: `${vsphere}/wire/wire-types.ts`,
    search: 'bases: faultBases }',
    replace: 'bases: {} as typeof faultBases }',
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'HasPrivilegeOnEntities takes the id of the session that asks',
    fault: 'the id of the session before a new login is sent',
    file: `${vsphere}/session/ask-as-session.ts`,
    search: '    if ((await session.open(options)) !== opened) continue;\n',
    replace: '',
    test: profiles,
    name: odd('8.0.3'),
  },
];

const replies: readonly Mutation[] = [
  {
    fact: 'OptionValue.value is optional',
    fault: 'an option without a value cannot be read',
    file: `${vsphere}/wire/types/common.ts`,
    search: 'value: optional(anyType),',
    replace: 'value: anyType,',
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'placementResults may list failed candidates first',
    fault: 'the first candidate is taken',
    file: `${vsphere}/cns/cns-specs.ts`,
    search: 'result.placementResults.find(({ placementFaults }) => placementFaults.length === 0)?.datastore',
    replace: 'result.placementResults[0]?.datastore',
    test: profiles,
    name: takes('8.0.3'),
  },
  {
    fact: 'guest.net and much else may be absent',
    fault: 'a VM without guest.net cannot be read',
    file: `${vsphere}/inventory/vm-properties.ts`,
    search: "(values['guest.net'] ?? []).map(toNic)",
    replace: "(values['guest.net'] as NonNullable<VmValues['guest.net']>).map(toNic)",
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'a VM in a vApp has no parent',
    fault: 'only a folder proves that a VM is gone',
    file: `${vsphere}/inventory/vm-existence.ts`,
    search: "if (!folder) return { state: 'unproven'",
    replace: "if (folder?.type !== 'Folder') return { state: 'unproven'",
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'one odd object costs that object, never the whole reply',
    fault: 'a value that cannot be read fails the reply',
    file: `${vsphere}/wire/wire-types.ts`,
    search: "new Set(['ObjectContent.propSet', 'PropertyChange.val'])",
    replace: 'new Set<string>()',
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'CnsDetachVolume and CnsDeleteVolume raise NotFound as a fault of the call',
    fault: 'NotFound is looked for in results alone',
    file: `${vsphere}/cns/cns-fault.ts`,
    search: "isVdoError(error, 'VCenterFault') && isMissing(error.details['data']);",
    replace: "isVdoError(error, 'VolumeNotFound') && isMissing(error.details['data']);",
    test: profiles,
    name: takes('8.0.3'),
  },
  {
    fact: 'CnsDeleteSnapshots of a snapshot that is gone: an argument is invalid, and not which',
    fault: 'only NotFound means that it is gone',
    file: `${vsphere}/destructive/create-destructive-calls.ts`,
    search: 'if (isUnreportedArgument(result.fault.fault) && ',
    replace: 'if (isUnreportedArgument(undefined) && ',
    test: 'test/contract/vsphere/releases.test.ts',
    name: '7.0.3 management contract container volumes have snapshots',
  },
  {
    fact: 'entries of CnsConfigureVolumeACLs are of a base type: each needs its xsi:type',
    fault: 'entries do not tell their type',
    file: `${vsphere}/cns/cns-specs.ts`,
    search: 'make(CnsNFSAccessControlSpec, { netPermission: permissionSpec(permission), delete: remove })',
    replace: '({ netPermission: permissionSpec(permission), delete: remove }) as never',
    test: profiles,
    name: takes('8.0.3'),
  },
  {
    fact: 'CnsConfigureVolumeACLs takes one entry per address',
    fault: 'all addresses are in one entry',
    file: `${vsphere}/cns/cns-specs.ts`,
    search: '    accessControlSpecList: permissions.map((permission) =>',
    replace:
      "    accessControlSpecList: permissions.slice(0, 1).map((one) => ({ ...one, ips: permissions.map(({ ips }) => ips).join(',') })).map((permission) =>",
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'a disk may have no UUID: that is an error',
    fault: 'an attached disk without a UUID is a success',
    file: `${vsphere}/cns/volume-changes.ts`,
    search: 'if (uuid === undefined) throw diskWithoutUuid(server, volumeId, vm.value);\n        return uuid;',
    replace: "return uuid ?? '';",
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'disks that are attached already may have backings without a UUID',
    fault: 'no UUID is an empty one',
    file: `${vsphere}/vms/disk-uuid.ts`,
    search: "uuid?.toLowerCase().replaceAll('-', '') || undefined;",
    replace: "uuid?.toLowerCase().replaceAll('-', '') ?? '';",
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'whether every version takes several volumes in a call is not known',
    fault: 'a refused batch is not sent one by one',
    file: `${vsphere}/cns/run-on-volumes.ts`,
    search: 'if (more.length > 0 && isOfTheWhole(error)) {',
    replace: 'if (more.length > 99 && isOfTheWhole(error)) {',
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'vSphereUser is the user name of the session',
    fault: 'the user name of the credentials is taken',
    file: `${vsphere}/session/vim-session.ts`,
    search: 'userName: session.userName, renewedMs',
    replace: 'userName: credentials.username, renewedMs',
    test: profiles,
    name: odd('8.0.3'),
  },
  {
    fact: 'tag ids go unescaped in paths',
    fault: 'colons are escaped',
    file: `${vsphere}/rest/tagging.ts`,
    search: "encodeURIComponent(id).replaceAll('%3A', ':')",
    replace: 'encodeURIComponent(id)',
    test: profiles,
    name: odd('8.0.3'),
  },
];

/** These are noticed on the release that the stories are told on. */
const outcomes: readonly Mutation[] = [
  {
    fact: 'the proxy answers 502, 503 or 504 after it has forwarded a call: the outcome is unknown',
    fault: 'a status of the proxy counts as not done',
    file: 'packages/base/src/error-codes.ts',
    search: "VCenterBusy: { family: 'unavailable', retry: 'backoff', effect: 'unknown' }",
    replace: "VCenterBusy: { family: 'unavailable', retry: 'backoff', effect: 'none' }",
    test: `${stories}/answered-by-a-proxy.test.ts`,
    name: 'leaves no disk on a VM whose VolumeAttachment is gone',
  },
  {
    fact: 'the proxy answers 408, too, when a reply takes long',
    fault: 'any status but 429, 502, 503 and 504 counts as not done',
    file: `${vsphere}/soap/vcenter-failure.ts`,
    search: 'status >= 500 || status === 408 || status === 429',
    replace: '[429, 502, 503, 504].includes(status)',
    test: `${stories}/answered-by-a-proxy.test.ts`,
    name: 'HTTP 408 after the request was forwarded leaves one disk for one claim',
  },
  {
    fact: 'a proxy or load balancer ends long polls before vCenter answers them',
    fault: 'each of them is followed by one that is as long',
    file: `${vsphere}/property/poll-length.ts`,
    search: 'else if (saysSo || again)',
    replace: 'else if (silentMs < 0)',
    test: 'test/contract/vsphere/long-polls.test.ts',
    name: 'a proxy with 504 after 60000 ms are begun anew once or twice',
  },
  {
    fact: 'a restarted vpxd has forgotten all tasks: one that is not found is unknown',
    fault: 'a forgotten task counts as not done',
    file: 'packages/base/src/error-codes.ts',
    search: "VCenterTaskForgotten: { family: 'unavailable', retry: 'backoff', effect: 'unknown' }",
    replace: "VCenterTaskForgotten: { family: 'unavailable', retry: 'backoff', effect: 'none' }",
    test: `${stories}/forgotten-tasks.test.ts`,
    name: 'a vCenter that forgets its tasks',
  },
  {
    fact: 'task numbers start anew after a restore: a result counts only if its volume has our name and cluster id',
    fault: 'the volume of any task with the number is taken',
    file: 'apps/csi/src/volumes/create-volume.ts',
    search:
      'return volume?.name === cnsNameOf(intent.name) && volume.clusterIds.includes(clusterId) ? volume : undefined;',
    replace: 'return cnsNameOf(intent.name) && volume;',
    test: `${stories}/repeated-task-numbers.test.ts`,
    name: 'does not hand over the disk of another cluster',
  },
  {
    fact: 'calls about storage may take minutes: the Go driver allows 300 s',
    fault: 'they have the time of any call',
    file: `${vsphere}/session/vim-session.ts`,
    search: 'export const storageTimeoutMs = 300_000;',
    replace: 'export const storageTimeoutMs = 60_000;',
    test: `${vsphere}/session/call-timeouts.test.ts`,
    name: 'ends CnsQueryVolume after 300 s',
  },
];

/** What is known of live vCenters, line by line, and what becomes of a client that does not know it. */
export const mutations: readonly Mutation[] = [...versions, ...sessions, ...replies, ...outcomes];
