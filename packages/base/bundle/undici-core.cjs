// undici without what no program here uses (fetch, WebSocket, caches, mocks): it saves each process some 7 MB and its start time.
// Named like undici's own index, so that bundles can take this one in its place.
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
const Pool = require('undici/lib/dispatcher/pool.js');
const ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js');
const buildConnector = require('undici/lib/core/connect.js');

// As undici's index does: dispatchers get their request method there.
Object.assign(Dispatcher.prototype, { request: require('undici/lib/api/api-request.js') });

module.exports = { Dispatcher, Pool, ProxyAgent, buildConnector };
