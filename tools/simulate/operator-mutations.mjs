// Guards of the operator that were broken on purpose, for `npm run simulate -- --operator --mutations`. The first ones are defects that
// seeds have found; the others break each kind of promise once. Those of single items of the issue are planted under
// test/stories/operator/mutations.ts; so is what costs calls within the bounds, which no seed can tell from what is meant to be.
export const operatorMutations = [
  {
    name: 'a repair of what is no longer applied stays due',
    file: 'packages/kube/src/apply/create-applier.ts',
    from: '      memory?.retain(applied);\n',
    to: '',
  },
  {
    name: 'a corrected matrix is checked by the hourly round alone',
    file: 'apps/operator/src/checks/check-runner.ts',
    from: '        options.inputs[group] !== inputs[group] ||\n',
    to: '',
    // Whatever fails is checked again within a minute: each of the two guards alone is enough.
    also: [
      {
        file: 'apps/operator/src/checks/check-schedule.ts',
        from: '      if (failing) retryMs',
        to: "      if (failing && group !== 'versions') retryMs",
      },
    ],
  },
  {
    name: 'the native controller has Leases of its own',
    file: 'packages/releases/src/render/native/csi-controller.ts',
    from: 'const leaseNamespace = names.upstreamCsiNamespace;',
    to: 'const leaseNamespace = names.systemNamespace;',
  },
  {
    name: 'the password of the Secret counts as proven',
    file: 'apps/operator/src/gather/proven-accounts.ts',
    from: 'read.set(version, { username, password });',
    to: 'read.set(version, { username, password }); proven.set(keyOf(spec), { username, password });',
  },
  {
    name: 'the status does not tell that a release is changed',
    file: 'apps/operator/src/pass/observe.ts',
    from: '...(target === undefined ? {} : { target }),',
    to: '',
  },
  {
    name: 'a scheduled pass is forgotten with the Lease',
    file: 'packages/kube/src/work-queue.ts',
    from: "        drop(id);\n        add(key, 'again');\n      }\n    },\n    resume",
    to: '        drop(id);\n      }\n    },\n    resume',
  },
  {
    name: 'what bears our label counts as ours',
    file: 'apps/operator/src/gather/find-ours.ts',
    from: ' && isAppliedBy(object, fieldManager))',
    to: ')',
  },
  {
    name: 'an account that nobody has is an empty one',
    file: 'apps/operator/src/gather/accounts.ts',
    from: 'throw reachError ?? loginError ?? unproven(server);',
    to: "return { server, username: '', password: '' };",
    // Drivers that run keep the account they have, so that there nearly always is one.
    also: [
      {
        file: 'apps/operator/src/gather/accounts.ts',
        from: '(await findKeptAccount(kube, { server, driver, isOwn: hasOwn(driver) }, kept))',
        to: 'undefined',
      },
    ],
  },
  {
    name: 'what has served once is available for ever',
    file: 'apps/operator/src/decisions/conditions.ts',
    from: "(before === 'True' && driver.changing === true && driver.version !== undefined)",
    to: "before === 'True'",
  },
  {
    name: 'the configuration is written by halves',
    file: 'packages/releases/src/render/shared/driver-config-map.ts',
    from: '      data: files(config),\n',
    to: '      data: { [names.configKey]: writeVsphereConfYaml(config).slice(0, 60) },\n',
  },
  {
    name: 'what is rendered while vCenter is away has no vCenter',
    file: 'apps/operator/src/pass/render.ts',
    from: 'const input = {\n      spec,\n',
    to: 'const answering = spec.vcenters.filter((one) => !vcenters.some(({ server, reachError }) => reachError && server === one.server));\n    const input = {\n      spec: { ...spec, vcenters: answering },\n',
  },
  {
    name: 'node agents of both distributions fit onto one node',
    file: 'packages/releases/src/render/upstream/csi-node.ts',
    from: 'const healthPort = hostPorts.csiNode;',
    to: 'const healthPort = hostPorts.csiNode + 1;',
  },
  {
    name: 'node agents of the former distribution stay until the new ones are ready',
    file: 'apps/operator/src/decisions/upgrade/compose-objects.ts',
    from: "const canOverlap: readonly Component[] = ['csi-controller'];",
    to: "const canOverlap: readonly Component[] = ['csi-controller', 'csi-node'];",
  },
];
