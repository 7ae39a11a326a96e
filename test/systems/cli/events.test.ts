import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { verifyWebhook } from '../../../clients/typescript/src/webhooks/verify.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import type { Gateway } from '../../support/api/api.ts';
import { cliTest as test, jsonLines } from './cli-fixture.ts';

const emit = ({ sql }: Pick<Gateway, 'sql'>, vendorId: string, groupId: string) =>
  emitEvents(
    sql,
    newEvent({
      eventType: 'vendor.order.assigned',
      vendorId,
      occurredAt: new Date(),
      data: { groupId },
    }),
  );

test('events tail prints events, and with --follow later ones until Ctrl-C', async ({
  cli,
  gateway,
}) => {
  const { vendorId } = cli.vendor;
  await emit(gateway, vendorId, 'group-1');
  const { exitCode, stdout } = await cli.run('events', 'tail', '--json');
  expect(exitCode).toBe(0);
  expect(jsonLines(stdout)).toMatchObject([{ sequence: 1, data: { groupId: 'group-1' } }]);

  const following = cli.start('events', 'tail', '--after', '1', '--follow');
  await emit(gateway, vendorId, 'group-2');
  await expect.poll(following.stdout, { timeout: 20_000 }).toMatch(/^2 .*group-2/);
  following.interrupt();
  expect(await following.ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await cli.run('events', 'tail', '--type', 'no.such')).toMatchObject({ exitCode: 2 });
});

test('webhooks listen posts signed bodies until they are taken, and resumes after them', async ({
  cli,
  gateway,
  onTestFinished,
}) => {
  const secret = newWebhookSecret();
  cli.setEnvironment({ VENDOR_GATEWAY_WEBHOOK_SECRET: secret });
  const received: string[] = [];
  let answers = 0;
  const server = createServer();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    answers += 1;
    const event = verifyWebhook(secret, body, request.headers);
    if (answers > 1) received.push((event.data as { groupId: string }).groupId);
    response.writeHead(answers === 1 ? 503 : 204).end();
  };
  server.on('request', (request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  await emit(gateway, cli.vendor.vendorId, 'group-1');
  const first = cli.start('webhooks', 'listen', '--forward', url, '--after', '0');
  await expect.poll(first.stdout, { timeout: 20_000 }).toContain('forwarded  1');
  expect(first.stderr()).toContain('For development only. The bodies are signed');
  expect(first.stderr()).toContain('answered 503; again in 0.5 s');
  first.interrupt();
  expect(await first.ended).toMatchObject({ exitCode: 0 });

  await emit(gateway, cli.vendor.vendorId, 'group-2');
  const second = cli.start('webhooks', 'listen', '--forward', url);
  await expect.poll(second.stdout, { timeout: 20_000 }).toContain('forwarded  2');
  second.interrupt();
  await second.ended;
  expect(received).toEqual(['group-1', 'group-2']);
});
