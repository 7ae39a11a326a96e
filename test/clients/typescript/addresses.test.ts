import { expect, test as base } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { startTestReceiver, status } from '../../support/webhooks/receiver.ts';
import { createVendorClient } from '../../../clients/typescript/src/index.ts';

const credential = { clientId: 'vc_1', clientSecret: 'vs_1' };
const clientAt = (baseUrl: string) => createVendorClient({ ...credential, baseUrl });

/** A server that redirects every request. */
const test = base.extend('moved', async ({}, { onCleanup }) => {
  const server = await startTestReceiver();
  onCleanup(() => server.close());
  const location = 'https://new.example.org/gateway/api/v1/auth/token?token=secret';
  server.answerWith(status(308, { location }));
  return server;
});

// D150.
test('follows no redirect, repeats no call, and names the new address', async ({ moved }) => {
  const call = clientAt(moved.origin).profile.get();
  await expect(call).rejects.toMatchObject({
    name: 'VendorGatewayError',
    state: 'REDIRECTED',
    status: 308,
    details: {
      location: 'https://new.example.org/gateway/api/v1/auth/token',
      baseUrl: 'https://new.example.org/gateway',
    },
    message:
      'POST /api/v1/auth/token: REDIRECTED (308): the address leads to ' +
      'https://new.example.org/gateway/api/v1/auth/token; ' +
      'use the address https://new.example.org/gateway',
  });
  expect(moved.requests).toHaveLength(1);
});

test.for([
  ['gateway.example.org', 'https://gateway.example.org.'],
  ['localhost:8080', 'http://localhost:8080.'],
  ['127.0.0.1:8080/api/v1', 'http://127.0.0.1:8080.'],
  ['//gateway.example.org', 'https://gateway.example.org.'],
  ['https://gateway.example.org/api/v1', 'https://gateway.example.org.'],
  ['https://gateway.example.org/api/v1/', 'https://gateway.example.org.'],
  ['https://gateway.example.org/shop/api/v1/scent/offers', 'https://gateway.example.org/shop.'],
  ['https://gateway.example.org/api', 'https://gateway.example.org.'],
  ['https://gateway.example.org/?a=1', 'https://gateway.example.org.'],
  ['https://vc:secret@gateway.example.org', 'has a user'],
  ['ftp://gateway.example.org', 'https://'],
  ['', 'https://gateway.example.org'],
  ['https://', 'https://gateway.example.org'],
] as const)("refuses the address '%s', and says how to correct it", ([address, meant]) => {
  expect(() => clientAt(address)).toThrow(TypeError);
  expect(() => clientAt(address)).toThrow(meant);
  expect(() => clientAt(address)).not.toThrow('secret');
});

test('keeps the path of the base URL before the path of the API', async () => {
  const urls: string[] = [];
  const fetch = (request: Request): Promise<Response> => {
    urls.push(request.url);
    return Promise.resolve(new Response(null, { status: 404 }));
  };
  for (const baseUrl of ['https://example.org/gateway/', ' https://example.org/gateway'])
    await expect(
      createVendorClient({ ...credential, baseUrl, fetch }).profile.get(),
    ).rejects.toThrow('INVALID_RESPONSE (404)');
  expect(new Set(urls)).toEqual(new Set(['https://example.org/gateway/api/v1/auth/token']));
});

test('reports at once an address that speaks no TLS', async ({ moved }) => {
  const address = moved.origin.replace('http:', 'https:');
  await expect(clientAt(address).profile.get()).rejects.toMatchObject({
    state: 'CONNECTION_FAILED',
    message: expect.stringMatching(/does not speak TLS: is the address http:\/\/\? \(\w+\)$/),
  });
}, 5000);

test('reports why no server at an address can be called', async () => {
  for (const [port, message] of [
    [await freePort(), 'CONNECTION_FAILED: nothing listens at the address (ECONNREFUSED)'],
    [1, 'CONNECTION_FAILED: the runtime calls no server'],
  ] as const) {
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = createVendorClient({ ...credential, baseUrl, retry: { attemptsMax: 1 } });
    await expect(client.profile.get()).rejects.toThrow(message);
  }
});
