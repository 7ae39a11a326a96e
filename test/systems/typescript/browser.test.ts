import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '../../../security/webhook-signature.ts';
import { root } from '../../support/programs.ts';

/** The client in a browser. `.ci/guides/install` installs Chromium; without it, a skip. */

const chromium = 'chromium';

/** Calls the client with a `fetch` that answers as the gateway does, and verifies a webhook. */
function scriptOf(webhook: { readonly secret: string; readonly body: string; headers: object }) {
  return `
import { createVendorClient, VendorGatewayError } from './clients/typescript/src/index.ts';
import { verifyWebhook } from './clients/typescript/src/webhooks/index.ts';

const answer = (status, state, payload) =>
  new Response(JSON.stringify({ state, payload, details: {} }), {
    status, headers: { 'content-type': 'application/json' },
  });
const sent = [];
globalThis.fetch = async function (request) {
  // As a browser's own does.
  if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation');
  sent.push(request.method + ' ' + new URL(request.url).pathname);
  if (request.url.endsWith('/auth/token'))
    return answer(200, 'SUCCESS', { accessToken: 'token', tokenType: 'Bearer', expiresIn: 300 });
  if (request.method === 'POST') return answer(201, 'SUCCESS', await request.json());
  return answer(404, 'NOT_FOUND_SCENT_OFFER', null);
};
const vendor = createVendorClient({
  baseUrl: 'https://gateway.example', clientId: 'vc', clientSecret: 'vs',
});
const offer = await vendor.offers.create({ cost: 1234567.89, costIsVatInclusive: false });
const missing = await vendor.offers.get('one').catch((error) => error);
const { secret, body, headers } = ${JSON.stringify(webhook)};
const refused = (() => {
  try { verifyWebhook(secret, body + ' ', headers); return false; } catch { return true; }
})();
document.body.textContent = JSON.stringify({
  sent, cost: offer.cost,
  isTyped: missing instanceof VendorGatewayError,
  event: verifyWebhook(secret, body, headers).eventType, refused,
});`;
}

test.skipIf(spawnSync(chromium, ['--version']).status !== 0)(
  'the client runs in a browser, without a module of Node',
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'client-runtime-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const secret = newWebhookSecret();
    const data = { groupId: 'group-1' };
    const body = JSON.stringify({ eventId: 'evt_1', eventType: 'vendor.order.assigned', data });
    const headers = signatureHeaders(secret, 'evt_1', new Date(), body);
    // A module of Node fails this build.
    const { outputFiles } = await build({
      stdin: { contents: scriptOf({ secret, body, headers }), resolveDir: root },
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
    });
    const script = outputFiles[0]?.text.replaceAll('</script', '<\\/script') ?? '';
    const page = join(folder, 'page.html');
    await writeFile(page, `<body></body><script type="module">${script}</script>`);
    const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--dump-dom'];
    const { stdout } = await promisify(execFile)(
      chromium,
      [...options, `--user-data-dir=${folder}/profile`, '--virtual-time-budget=5000', page],
      { timeout: 60_000 },
    );
    const [, result = ''] = /<body>([^<]*)/.exec(stdout) ?? [];
    expect(JSON.parse(result)).toEqual({
      sent: [
        'POST /api/v1/auth/token',
        'POST /api/v1/scent/offers',
        'GET /api/v1/scent/offers/one',
      ],
      cost: 1234567.89,
      isTyped: true,
      event: 'vendor.order.assigned',
      refused: true,
    });
  },
);
