// Guards of the operator that were broken on purpose, for `npm run simulate -- --operator --mutations`. The first ones are defects that
// seeds have found. Those of single items of the issue are planted under test/stories/operator/mutations.ts.
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
    to: 'read.set(version, { username, password }); proven.set(spec.server, { username, password });',
  },
  {
    name: 'the status does not tell that a release is changed',
    file: 'apps/operator/src/pass/look.ts',
    from: '...(target === undefined ? {} : { target }),',
    to: '',
  },
  {
    name: 'a look that was to come is forgotten with the Lease',
    file: 'packages/kube/src/work-queue.ts',
    from: "        drop(id);\n        add(key, 'again');\n      }\n    },\n    resume",
    to: '        drop(id);\n      }\n    },\n    resume',
  },
];
