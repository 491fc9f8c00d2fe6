// grpc-js without its client, of which the driver's programs need nothing: half of the package, loaded at each start on each node.
// Named like grpc-js's own index, so that bundles can take this one in its place.
const { Status: status } = require('@grpc/grpc-js/build/src/constants.js');
const { Server } = require('@grpc/grpc-js/build/src/server.js');
const { ServerCredentials } = require('@grpc/grpc-js/build/src/server-credentials.js');

// As grpc-js's index does: a server listens where a resolver tells.
require('@grpc/grpc-js/build/src/resolver-dns.js').setup();
require('@grpc/grpc-js/build/src/resolver-uds.js').setup();
require('@grpc/grpc-js/build/src/resolver-ip.js').setup();

module.exports = { Server, ServerCredentials, status };
