import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A name server of Erlang nodes (epmd) that answers one node as we like, so that its connections to others pass proxies. */
export interface NodeNames {
  port: number;
  close(): Promise<void>;
}

// https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html
const [ALIVE_REQUEST, ALIVE_ANSWER, PORT_REQUEST, PORT_ANSWER, NAMES_REQUEST] = [120, 118, 122, 119, 110];
const [NORMAL_NODE, HIGHEST_VERSION, LOWEST_VERSION] = [77, 6, 5];
const LENGTH_BYTES = 2;

/** `portOf` returns where this node reaches another one, or itself; undefined if there is none of that name. */
export async function serveNodeNames(portOf: (name: string) => number | undefined): Promise<NodeNames> {
  const sockets = new Set<Socket>();
  let creation = 0;
  const answer = (request: Buffer, socket: Socket) => {
    const text = request.subarray(1).toString('latin1');
    if (request[0] === ALIVE_REQUEST) {
      creation += 1;
      // The connection stays open while the node lives.
      socket.write(Buffer.concat([Buffer.from([ALIVE_ANSWER, 0]), uint32(creation)]));
    } else if (request[0] === PORT_REQUEST) socket.end(portAnswer(text, portOf(text)));
    else if (request[0] === NAMES_REQUEST) socket.end(uint32(port));
    else socket.destroy();
  };
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => undefined); // it closes too
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < LENGTH_BYTES || received.length < LENGTH_BYTES + received.readUInt16BE(0)) return;
      answer(received.subarray(LENGTH_BYTES, LENGTH_BYTES + received.readUInt16BE(0)), socket);
      received = Buffer.alloc(0);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function portAnswer(name: string, port: number | undefined): Buffer {
  if (port === undefined) return Buffer.from([PORT_ANSWER, 1]);
  return Buffer.concat([
    Buffer.from([PORT_ANSWER, 0]),
    uint16(port),
    Buffer.from([NORMAL_NODE, 0]),
    uint16(HIGHEST_VERSION),
    uint16(LOWEST_VERSION),
    uint16(name.length),
    Buffer.from(name, 'latin1'),
    uint16(0),
  ]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
