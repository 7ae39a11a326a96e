import { readdir, readFile, readlink } from 'node:fs/promises';
import { request } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import { describe, expect } from 'vitest';
import { begun, startedTest as test } from './start-fixture.ts';

/** Reads an address of /proc/net/tcp: hexadecimal, the bytes of the IP reversed. */
function endpointOf(text: string): { readonly ip: string; readonly port: number } {
  const [ip = '', port = ''] = text.split(':');
  return { ip: Buffer.from(ip, 'hex').toReversed().join('.'), port: Number.parseInt(port, 16) };
}

/** Where a process listens by TCP. */
async function listeningOf(pid: number) {
  const fds = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(
    fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  );
  const rows = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(
      ([, , , state, , , , , , inode]) => state === '0A' && links.includes(`socket:[${inode}]`),
    )
    .map(([, local = '']) => endpointOf(local));
}

const isTemporal = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('start-dev');

/** What a page could send after DNS rebinding: JSON that starts the deletion of the history. */
function startRetention(ip: string, port: number, host: string): Promise<number | 'no HTTP'> {
  return new Promise((resolve) => {
    const headers = { host, 'content-type': 'application/json', authorization: 'Bearer x' };
    const path = '/api/v1/namespaces/default/workflows/rebound';
    request({ host: ip, port, method: 'POST', path, headers })
      .once('response', (answer) => resolve(answer.resume().statusCode ?? 0))
      .once('error', () => resolve('no HTTP'))
      .end(
        JSON.stringify({
          workflowType: { name: 'webhookRetention' },
          taskQueue: { name: 'vendor-gateway' },
        }),
      );
  });
}

describe('the Temporal server of npm start', () => {
  test('lets no web page start a workflow, on any port that a page can find', async ({
    starts,
    started: { info },
  }) => {
    const ui = new URL(info.temporalUiUrl);
    for (const host of ['attacker.example', ui.host])
      expect(await startRetention(ui.hostname, Number(ui.port), host)).toBe(
        host === ui.host ? 405 : 421,
      );
    const pids = (await begun(starts.home)).map(({ pid }) => pid);
    const [pid = 0] = (
      await Promise.all(pids.map(async (id) => ((await isTemporal(id)) ? [id] : [])))
    ).flat();
    const listening = await listeningOf(pid);
    const hidden = listening.filter(({ ip }) => ip !== '127.0.0.1');
    // The UI, at an address that a page would have to guess.
    expect(hidden).toEqual([{ ip: expect.stringMatching(/^127\./), port: expect.any(Number) }]);
    const others = listening.filter(({ ip }) => ip === '127.0.0.1');
    expect(others.map(({ port }) => port)).toContain(Number(info.temporalAddress.split(':')[1]));
    for (const { ip, port } of others)
      for (const host of ['attacker.example', `${ip}:${port}`, 'localhost'])
        expect(await startRetention(ip, port, host)).toBeOneOf(['no HTTP', 403, 404, 405]);

    const connection = await Connection.connect({ address: info.temporalAddress });
    const { count } = await new Client({ connection }).workflow.count('WorkflowId = "rebound"');
    expect(count).toBe(0);
    await connection.close();
  });

  test('shows its UI for reading, with the write actions off', async ({ started: { info } }) => {
    const page = await fetch(`${info.temporalUiUrl}/namespaces/default/workflows`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('/_app/');
    const settings = await fetch(`${info.temporalUiUrl}/api/v1/settings?`);
    expect(await settings.json()).toMatchObject({ DisableWriteActions: true });
    const runs = await fetch(`${info.temporalUiUrl}/api/v1/namespaces/default/workflows`);
    expect(runs.status).toBe(200);
  });
});
