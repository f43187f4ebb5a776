import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface SilentServer {
  readonly port: number;
  close(): Promise<void>;
}

/** A port that takes connections and never says a word, as a server does that hangs. */
export async function listenInSilence(): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
