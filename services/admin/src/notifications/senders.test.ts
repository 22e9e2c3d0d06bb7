import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createEmailSender } from './senders.ts';

test('a mail server that greets and then says nothing fails the message in time', async () => {
  const server = createServer((socket) => socket.write('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const send = createEmailSender(`smtp://127.0.0.1:${port}`, 'Vuka <no-reply@vuka.example>', 200);
  await expect(send({ to: 'amina@vuka.test', subject: 'Hello', text: 'Hello' })).rejects.toThrow(/timeout/i);
}, 5_000);
