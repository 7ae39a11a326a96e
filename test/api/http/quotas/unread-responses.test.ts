import { once } from 'node:events';
import { expect } from 'vitest';
import { appWith, rawConnection, requestHead } from '../../error-codes/slow-app.ts';
import { seedLargeResults } from '../../../support/seeds/large-results.ts';
import { newVendor } from '../../../support/api/actors.ts';
import { call, type Gateway } from '../../../support/api/api.ts';
import { quotasTest, quotasOf } from './vendor-quotas-fixture.ts';

/** A response takes its vendor's quota until it is read (D153). */

const test = quotasTest.extend('app', async ({ gateway }) =>
  appWith({ ...gateway.dependencies, vendorQuotas: quotasOf(1) }),
);

/** A vendor whose job has a file of 10,000 results, and a connection that has begun to read it. */
async function readerOf(gateway: Gateway, app: Parameters<typeof rawConnection>[0], reads = 1) {
  const { vendorId, token } = await newVendor(gateway);
  const path = `/api/v1/scent/jobs/${await seedLargeResults(gateway.sql, vendorId)}/results`;
  const socket = await rawConnection(app);
  const request = requestHead('GET', `${path}?format=csv`, `authorization: Bearer ${token}`);
  socket.write(request.repeat(reads));
  if (reads > 0) await once(socket, 'readable');
  return { socket, path, token };
}

test('holds a permit until the caller has read the file', async ({ gateway, app }) => {
  const { socket, path, token } = await readerOf(gateway, app);
  let isAnswered = false;
  const next = call(app, 'GET', path, { token }).then((response) => {
    isAnswered = true;
    return response.status;
  });
  // Another vendor's calls of the same kind are answered meanwhile.
  const other = await readerOf(gateway, app, 0);
  for (let count = 0; count < 10; count += 1)
    expect((await call(app, 'GET', other.path, { token: other.token })).status).toBe(200);
  expect(isAnswered).toBe(false);

  socket.destroy();
  expect(await next).toBe(200);
}, 60_000);

test('frees the permit of a pipelined list when its connection ends', async ({ gateway, app }) => {
  const { socket, path, token } = await readerOf(gateway, app, 2);
  socket.destroy();
  expect((await call(app, 'GET', path, { token })).status).toBe(200);
}, 60_000);

test('sends the whole file to a caller that reads it', async ({ gateway, app }) => {
  const { path, token } = await readerOf(gateway, app, 0);
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await app.app.inject({ url: `${path}?format=csv`, headers });
  const rows = body.split('\r\n');
  expect(rows).toHaveLength(10_002);
  expect(rows.slice(1, -1).every((row, index) => row.startsWith(`${index},400,`))).toBe(true);
}, 60_000);
