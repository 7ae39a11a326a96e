import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect } from 'vitest';
import { startReceiver } from '../../../scripts/demo/receiver.ts';
import { freePort } from '../../support/free-port.ts';
import { root } from '../../support/programs.ts';
import { createClients } from '../contract/clients.ts';
import { operator as logIn } from '../processes/callers.ts';
import { guideTest } from '../guides/guide-fixture.ts';
import { blocksIn, guide, runs } from '../guides/guide-steps.ts';

/** The receivers of the guides, taken from the Markdown, get a delivery of the gateway. */

const installed = join(root, '.cache/guides');
const python = join(installed, 'python/bin/python');
const go = join(installed, 'go');
const jar = join(installed, 'java/standardwebhooks-1.1.0.jar');
const libraries = 'webhook-libraries';

/** The page and language of each, its command, and whether it can run. */
const receivers = [
  [libraries, 'ts', `${process.execPath} --import=tsx receiver.mts`, true],
  [libraries, 'py', `${python} receiver.py`, runs(python, '-c', 'import standardwebhooks')],
  [libraries, 'go', `go run -C ${go} $PWD/receiver.go`, runs('go', 'mod', 'verify', '-C', go)],
  [libraries, 'java', `java -cp ${jar} Receiver.java`, runs('java', '-version') && existsSync(jar)],
  [libraries, 'php', 'php -S 127.0.0.1:$PORT receiver.php', runs('php', '--version')],
  ['webhooks', 'js', `${process.execPath} receiver.mjs`, true],
  ['webhooks', 'py', 'python3 receiver.py', runs('python3', '--version')],
] as const;

type Delivery = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Has a delivery as the gateway sends it, and the secret of its subscription. */
const test = guideTest.extend(
  'delivered',
  { scope: 'file' },
  async ({ apiUrl, receiverOrigin }) => {
    const { newVendor } = createClients({ apiUrl, operator: logIn });
    const { vendor } = await newVendor('Vendor');
    const receiver = await startReceiver(receiverOrigin);
    const created = v.object({ secret: v.string() });
    const url = `${receiverOrigin}/hook`;
    const { secret } = await vendor.expect('POST /api/v1/webhooks', created, {
      body: { url, eventTypes: ['vendor.order.assigned'], ping: true },
      status: 201,
    });
    const { headers, body } = await receiver.next(10_000);
    await receiver.close();
    const signed = Object.entries(headers).filter(([name]) =>
      /^(?:webhook-|content-type$)/.test(name),
    );
    return { headers: Object.fromEntries(signed), body, secret };
  },
);

/** Starts a receiver, which gets the secret. */
async function startReceiverOf(
  [page, language, command]: (typeof receivers)[number],
  folder: string,
  secret: string,
) {
  const port = await freePort();
  const [block = ''] = blocksIn(guide(page), language);
  const file = join(folder, /\w+\.\w+$/.exec(command)?.[0] ?? '');
  await writeFile(file, block.replaceAll('8790', String(port)));
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    env: { ...process.env, SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'ignore', secret === '' ? 'ignore' : 'inherit'],
    detached: true,
  });
  const closed = once(child, 'close').then(() => 'ended' as const);
  return {
    closed,
    close: async () => {
      // The shell and `go run` start the receiver as a process of its own.
      if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
      await closed;
    },
    send: async ({ headers, body }: Delivery): Promise<number> => {
      const url = `http://127.0.0.1:${port}/hook`;
      return (await fetch(url, { method: 'POST', headers, body })).status;
    },
  };
}

for (const receiver of receivers) {
  const [page, language, command, canRun] = receiver;
  test.skipIf(!canRun)(
    `accepts in the ${language} receiver of ${page} only what the gateway sends`,
    { timeout: 120_000 },
    async ({ delivered, folder, onTestFinished }) => {
      const { send, close } = await startReceiverOf(receiver, folder, delivered.secret);
      onTestFinished(close);
      await expect
        .poll(() => send(delivered).catch(() => 'not listening'), { timeout: 100_000 })
        .toBe(204);
      const { headers, body } = delivered;
      const other = body.replace('"quantity":', '"quantity" :');
      const tampered = body.replace(/"eventId":"evt_./, '"eventId":"evt_x');
      expect([other, tampered]).not.toContain(body);
      for (const changed of [other, tampered])
        expect(await send({ headers, body: changed })).toBe(401);
      const old = String(Number(headers['webhook-timestamp']) - 301);
      expect(await send({ headers: { ...headers, 'webhook-timestamp': old }, body })).toBe(401);
      expect(await send({ headers: { 'content-type': 'application/json' }, body })).toBe(401);
      expect(await send(delivered)).toBe(204);
    },
  );

  // Anyone can sign with an empty key.
  test.skipIf(!canRun)(
    `accepts nothing in the ${language} receiver of ${page} with an empty secret`,
    { timeout: 120_000 },
    async ({ folder, onTestFinished }) => {
      const { send, close, closed } = await startReceiverOf(receiver, folder, '');
      onTestFinished(close);
      const [id, time, body] = ['evt_1', String(Math.floor(Date.now() / 1000)), '{"eventId":"1"}'];
      const signature = createHmac('sha256', '').update(`${id}.${time}.${body}`).digest('base64');
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': time,
        'webhook-signature': `v1,${signature}`,
      };
      const answered = () => Promise.race([closed, send({ headers, body })]);
      const outcome = expect.poll(() => answered().catch(() => null), { timeout: 100_000 });
      await outcome.toSatisfy((status) => status === 'ended' || status === 500, command);
    },
  );
}

test('tests the receivers of the guide in five languages', () => {
  const languages = receivers.filter(([page]) => page === libraries);
  const text = guide(libraries);
  expect(Array.from(text.matchAll(/^```(\w+)$/gm), ([, language]) => language)).toEqual(
    languages.map(([, language]) => language),
  );
});
