import { firstBytes, type LoadOrder, openConnection } from './open-connection.ts';

/** Opens many connections, makes one request on each, and then does nothing. Started with `fork`. */
const AT_ONCE = 50;

process.once('message', (order: LoadOrder) => {
  open(order).then(
    () => process.send?.('opened'),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => process.exit(0));

async function open(order: LoadOrder): Promise<void> {
  let left = order.connections;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const socket = await openConnection(order);
      socket.write(`GET / HTTP/1.1\r\nhost: ${order.host}:${order.port}\r\n\r\n`);
      await firstBytes(socket);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
