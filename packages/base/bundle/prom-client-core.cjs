// prom-client without what no program here uses (default metrics, push gateway, clusters, summaries): they load a dozen of Node's own
// modules at each start. Named like prom-client's own index, so that bundles can take this one in its place.
const Counter = require('prom-client/lib/counter.js');
const Gauge = require('prom-client/lib/gauge.js');
const Histogram = require('prom-client/lib/histogram.js');
const Registry = require('prom-client/lib/registry.js');

module.exports = { Counter, Gauge, Histogram, Registry };
