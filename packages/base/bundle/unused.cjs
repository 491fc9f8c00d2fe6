// In place of a part of a dependency that no program here uses, and that each start would load.
module.exports = new Proxy(() => {}, {
  apply: () => {
    throw new Error('this part of a dependency is not in the bundle');
  },
});
