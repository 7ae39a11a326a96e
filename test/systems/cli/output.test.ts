import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createOutput, inLine, tableOf } from '../../../clients/cli/src/core/output.ts';
import { lineOf } from '../../../clients/cli/src/core/explain.ts';
import { cliTest } from './cli-fixture.ts';

/** An output whose streams keep what is written. */
function newOutput(isJson: boolean, isTTY = false) {
  const written = { stdout: '', stderr: '' };
  const sinkOf = (name: keyof typeof written) =>
    ({ isTTY, write: (text: string) => (written[name] += text) }) as unknown as NodeJS.WriteStream;
  return { written, output: createOutput(sinkOf('stdout'), sinkOf('stderr'), isJson) };
}

/** A clear-screen command, a CSI of one byte, an overridden direction and a line separator. */
const hostile = 'a\u001b[2Jb\u009b1mc\u202ed\u2066e\u2028f\u0007';
const shown = String.raw`a\u001b[2Jb\u009b1mc\u202ed\u2066e\u2028f\u0007`;

test('shows control and bidirectional characters of the server as escapes', () => {
  const { written, output } = newOutput(false);
  output.result({}, hostile);
  output.note(hostile);
  expect(written).toEqual({ stdout: `${shown}\n`, stderr: `${shown}\n` });
});

test('escapes them in JSON, so that a reader gets the same value', () => {
  const { written, output } = newOutput(true);
  output.result({ reason: hostile }, null);
  output.error({ reason: hostile });
  expect(written.stdout).toBe(written.stderr);
  expect(written.stdout).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(written.stdout)).toEqual({ reason: hostile });
});

test('keeps a file as it is, and escapes what a terminal shows of it', () => {
  const redirected = newOutput(false);
  redirected.output.file(`${hostile}\r\n`);
  expect(redirected.written.stdout).toBe(`${hostile}\r\n`);
  const terminal = newOutput(false, true);
  terminal.output.file(`${hostile}\r\n`);
  expect(terminal.written.stdout).toBe(`${shown}\n`);
});

test('a text of the server begins no line', () => {
  expect(inLine('a\nb')).toBe(String.raw`a\nb`);
  expect(tableOf(['NAME'], [['x\nCreated 5.']])).toBe('NAME\nx\\nCreated 5.');
  const reasons = [{ field: null, code: 'X', message: 'no\nCreated 5.' }];
  const explanation = { exitCode: 1, code: 'X', reasons, hint: null, requestId: null } as const;
  expect(lineOf(explanation).split('\n')).toHaveLength(1);
});

cliTest('events tail ends with an error on a feed that does not advance', async ({ cli }) => {
  let reads = 0;
  const server = createServer((request, response) => {
    const isToken = request.url?.endsWith('/auth/token') === true;
    reads += isToken ? 0 : 1;
    const payload = isToken
      ? { accessToken: 'token', tokenType: 'Bearer', expiresIn: 300 }
      : { items: [], nextAfter: 0, latestSequence: 5, oldestSequence: 1 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ state: 'SUCCESS', payload, details: {} }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    cli.setEnvironment({ VENDOR_GATEWAY_URL: `http://127.0.0.1:${port}` });
    const { exitCode, stderr } = await cli.run('events', 'tail', '--after', '0');
    expect({ exitCode, reads }).toEqual({ exitCode: 4, reads: 1 });
    expect(stderr).toContain('INVALID_RESPONSE');
  } finally {
    server.close();
  }
});
