import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { runCli } from '../../../clients/cli/src/cli.ts';
import { startProgress, timeLeft } from '../../../clients/cli/src/core/progress.ts';
import { createOutput } from '../../../clients/cli/src/core/output.ts';
import { jobsTest } from './job-runner.ts';

/** A terminal that keeps what it is sent. */
function fakeTerminal(isTTY = true) {
  let text = '';
  const write = (piece: string): boolean => {
    text += piece;
    return true;
  };
  const terminal = Object.assign(new PassThrough(), { isTTY, columns: 120, write });
  return { terminal: terminal as unknown as NodeJS.WriteStream, text: () => text };
}

test('a bar shows what is done, what failed and the time that is left', () => {
  const { terminal, text } = fakeTerminal();
  const progress = startProgress(createOutput(terminal, terminal, false), 4000);
  progress.show({ done: 990, failed: 10 });
  progress.step(true);
  progress.end();
  expect(text()).toContain('0% | 0/4000 | 0 done, 0 failed | no estimate yet');
  expect(text()).toContain('25% | 1001/4000 | 990 done, 11 failed');
});

test('the time that is left follows the pace', () => {
  expect(timeLeft(1000, 0, 5)).toBe('no estimate yet');
  expect(timeLeft(10_000, 100, 900)).toBe('1 min 30 s left');
  expect(timeLeft(10_000, 1000, 100)).toBe('1 s left');
  expect(timeLeft(10_000, 0, 0)).toBe('0 s left');
});

test('without a terminal, and for lines of JSON, there is no bar', () => {
  for (const [isTTY, isJson] of [
    [false, false],
    [true, true],
  ] as const) {
    const { terminal, text } = fakeTerminal(isTTY);
    const progress = startProgress(createOutput(terminal, terminal, isJson), 10);
    progress.step();
    progress.end();
    expect(text()).toBe('');
  }
});

jobsTest(
  'an import by jobs draws its bar on the terminal',
  async ({ cli, clients }) => {
    const rows = Array.from({ length: 1001 }, (_, index) => `oud-${index},Brand,Oud,10.25,false`);
    const header = 'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive';
    const file = await cli.write('offers.csv', header, ...rows);
    const [stdout, stderr] = [fakeTerminal(false), fakeTerminal()];
    const { clientId, clientSecret } = cli.vendor;
    const exitCode = await runCli(['offers', 'import', file], {
      stdin: process.stdin,
      stdout: stdout.terminal,
      stderr: stderr.terminal,
      environment: {
        XDG_CONFIG_HOME: cli.folder,
        VENDOR_GATEWAY_URL: clients.baseUrl,
        VENDOR_GATEWAY_CLIENT_ID: clientId,
        VENDOR_GATEWAY_CLIENT_SECRET: clientSecret,
      },
      onInterrupt: () => {},
    });
    expect(exitCode).toBe(0);
    expect(stdout.text()).toBe('Created 1001, updated 0, skipped 0, failed 0.\n');
    expect(stderr.text()).toContain('100% | 1001/1001 | 1001 done, 0 failed | 0 s left');
  },
  60_000,
);
