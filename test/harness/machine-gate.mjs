// The door of a machine with a network of its own, run inside it. Everything goes over sockets in the file system, so that
// neither network has to be joined to the other:
//   machine-gate.mjs <in socket> <doors: JSON list of { address, port, socket }>
// What connects to the address and port of a door comes out at its socket; who asks for `CONNECT host:port` at
// <in socket> reaches that address inside the machine.
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';

const [inSocket, doors] = process.argv.slice(2);

const join = (near, far) => {
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
};

for (const { address, port, socket } of JSON.parse(doors))
  createServer((near) => join(near, connect(socket))).listen(port, address);

const proxy = createHttpServer((_, response) => response.writeHead(405).end());
proxy.on('connect', ({ url }, near) => {
  const { hostname, port: target } = new URL(`http://${url}`);
  const far = connect(Number(target || 80), hostname, () => {
    near.write('HTTP/1.1 200 Connection established\r\n\r\n');
    join(near, far);
  });
  far.once('error', () => near.destroy());
});
proxy.listen(inSocket);
