import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byteCase, sendBytes } from '../../bench/malformed/connections.ts';
import { malformedRequest } from '../../bench/malformed/generate.ts';
import { createHttpSender, sendMalformed } from '../../bench/malformed/http.ts';
import { changedTables, digestRecord } from '../../bench/malformed/record.ts';
import type { Scene } from '../../bench/malformed/request.ts';
import { createScene } from '../../bench/malformed/scene.ts';
import { createTally } from '../../bench/malformed/verdict.ts';
import { startGateway, type Gateway } from './support/api.ts';

// The small sister of `npm run bench -- malformed`: the same requests, fewer of them, and nothing of memory.

const seed = 'test';
const requests = 3000;
const connections = 1000;

let gateway: Gateway;
let origin: string;
let scene: Scene;

beforeAll(async () => {
  gateway = await startGateway();
  origin = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  scene = await createScene(gateway.sql, gateway.dependencies.tokens, origin);
});
afterAll(() => gateway.close());

test(`${requests} malformed requests are refused by a code that was due, in the envelope, and change nothing`, async () => {
  const before = await digestRecord(gateway.sql);
  const tally = createTally();
  const sender = createHttpSender(origin);
  try {
    await sendMalformed(sender, scene, tally, { seed, from: 0, to: requests });
  } finally {
    await sender.close();
  }
  expect(tally.problems()).toEqual([]);
  expect(tally.requests()).toBe(requests);
  expect(changedTables(before, await digestRecord(gateway.sql))).toEqual([]);
});

test(`${connections} connections that speak no HTTP get one answer each, and nothing smuggled gets any`, async () => {
  const before = await digestRecord(gateway.sql);
  const tally = createTally();
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  const { port } = gateway.app.server.address() as AddressInfo;
  await sendBytes(port, scene, tally, { seed, from: 0, to: connections });
  expect(tally.problems()).toEqual([]);
  expect(tally.requests()).toBe(connections);
  expect(changedTables(before, await digestRecord(gateway.sql))).toEqual([]);
});

test('a number of a seed is one request, whoever asks and when', () => {
  for (const number of [0, 17, 2999]) {
    expect(malformedRequest(scene, seed, number)).toEqual(malformedRequest(scene, seed, number));
    expect(byteCase(scene, seed, number)).toEqual(byteCase(scene, seed, number));
  }
  expect(malformedRequest(scene, seed, 1)).not.toEqual(malformedRequest(scene, 'other', 1));
});
