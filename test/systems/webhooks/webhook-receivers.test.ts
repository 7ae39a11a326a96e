import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect } from 'vitest';
import { startReceiver } from '../../../scripts/demo/receiver.ts';
import { freePort } from '../../support/free-port.ts';
import { root } from '../../support/programs.ts';
import { createClients } from '../contract/clients.ts';
import { operator as logIn } from '../processes/callers.ts';
import { demoTest } from '../processes/demo-fixture.ts';
import { blocksIn, guide, runs } from '../guides/guide-steps.ts';

/** The receivers of the guides, taken from the Markdown, get a delivery of the gateway. */

const installed = join(root, '.cache/guides');
const python = join(installed, 'python/bin/python');
const jar = join(installed, 'java/standardwebhooks-1.1.0.jar');

type Receiver = {
  readonly page: string;
  readonly language: string;
  readonly file: string;
  readonly command: (port: number) => readonly [string, ...string[]];
  readonly isMissing: boolean;
};

const receivers: readonly Receiver[] = [
  {
    page: 'webhook-libraries',
    language: 'ts',
    file: 'receiver.mts',
    command: () => [process.execPath, '--import=tsx', 'receiver.mts'],
    isMissing: false,
  },
  {
    page: 'webhook-libraries',
    language: 'py',
    file: 'receiver.py',
    command: () => [python, 'receiver.py'],
    isMissing: !runs(python, '-c', 'import standardwebhooks'),
  },
  {
    page: 'webhook-libraries',
    language: 'go',
    file: 'receiver.go',
    command: () => ['go', 'run', '-C', join(installed, 'go'), join('FOLDER', 'receiver.go')],
    isMissing: !runs('go', 'mod', 'verify', '-C', join(installed, 'go')),
  },
  {
    page: 'webhook-libraries',
    language: 'java',
    file: 'Receiver.java',
    command: () => ['java', '-cp', jar, 'Receiver.java'],
    isMissing: !runs('java', '-version') || !runs('test', '-f', jar),
  },
  {
    page: 'webhook-libraries',
    language: 'php',
    file: 'receiver.php',
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    isMissing: !runs('php', '--version'),
  },
  {
    page: 'webhooks',
    language: 'js',
    file: 'receiver.mjs',
    command: () => [process.execPath, 'receiver.mjs'],
    isMissing: false,
  },
  {
    page: 'webhooks',
    language: 'py',
    file: 'receiver.py',
    command: () => ['python3', 'receiver.py'],
    isMissing: !runs('python3', '--version'),
  },
];

type Delivery = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

const test = demoTest
  /** A delivery as the gateway sends it, and the secret of its subscription. */
  .extend('delivered', { scope: 'file' }, async ({ apiUrl, receiverOrigin }) => {
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
  })
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'receiver-'));
    // Node finds the packages of the project.
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return folder;
  });

for (const { page, language, file, command, isMissing } of receivers)
  test.skipIf(isMissing)(
    `the receiver in ${language} of ${page} takes what the gateway sends and nothing else`,
    { timeout: 120_000 },
    async ({ delivered, folder, onTestFinished }) => {
      const port = await freePort();
      const [block = ''] = blocksIn(await guide(page), language);
      await writeFile(join(folder, file), block.replaceAll('8790', String(port)));
      const [program, ...options] = command(port).map((part) => part.replace('FOLDER', folder));
      const child = spawn(program ?? '', options, {
        cwd: folder,
        env: { ...process.env, SECRET: delivered.secret },
        stdio: ['ignore', 'ignore', 'inherit'],
        detached: true,
      });
      onTestFinished(async () => {
        // `go run` starts the receiver as a process of its own.
        process.kill(-(child.pid ?? 0), 'SIGKILL');
        await once(child, 'close');
      });
      const send = async ({ headers, body }: Delivery): Promise<number> => {
        const url = `http://127.0.0.1:${port}/hook`;
        return (await fetch(url, { method: 'POST', headers, body })).status;
      };
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

test('the guide has a receiver in five languages, and each is among those above', async () => {
  const languages = receivers.filter(({ page }) => page === 'webhook-libraries');
  const text = await guide('webhook-libraries');
  expect(Array.from(text.matchAll(/^```(\w+)$/gm), ([, language]) => language)).toEqual(
    languages.map(({ language }) => language),
  );
});
