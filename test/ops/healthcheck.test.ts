import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('../../ops/healthcheck', import.meta.url));

test.for([
  [200, 0],
  [503, 1],
])('turns a response of %i into the exit code %i', async ([status, code]) => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/ready' ? (status ?? 0) : 404;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const check = spawn(script, [String(port), '/ready'], { stdio: 'ignore' });
  expect(await once(check, 'exit')).toEqual([code, null]);
});
