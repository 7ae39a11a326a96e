import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { expect, onTestFinished, vi } from 'vitest';

const chromium = 'chromium';

/** `.ci/guides/install` installs it. */
export const hasBrowser = spawnSync(chromium, ['--version']).status === 0;

type Params = Readonly<Record<string, unknown>>;
type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly message: string };
};

/** A page of a headless Chromium of its own, until the test ends. */
export type BrowserPage = {
  readonly open: (url: string) => Promise<void>;
  /** The value of an expression in the page. */
  readonly valueOf: (expression: string) => Promise<unknown>;
  /** Waits until an expression is true in the page. */
  readonly until: (expression: string) => Promise<void>;
  /** The parameters of the events of a kind so far, such as `Network.requestWillBeSent`. */
  readonly eventsOf: (method: string) => readonly Params[];
  /** Sends a command of the protocol, such as `Emulation.setScriptExecutionDisabled`. */
  readonly send: (method: string, params?: Params) => Promise<Params>;
};

/** Opens a browser, and drives it by the Chrome DevTools Protocol over a pipe. */
export async function openBrowser(): Promise<BrowserPage> {
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe'];
  const child = spawn(chromium, [...options, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const output = child.stdio[3] as Writable;
  const input = child.stdio[4] as Readable;
  const calls = new Map<number, (message: Message) => void>();
  const events: Message[] = [];
  let rest = '';
  output.on('error', () => {});
  // The end of the browser breaks both pipes.
  input.on('error', () => {});
  input.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages.map((each) => JSON.parse(each) as Message)) {
      if (message.id === undefined) events.push(message);
      else calls.get(message.id)?.(message);
    }
  });
  let id = 0;
  let sessionId: unknown;
  const call = async (method: string, params: Params = {}) => {
    id += 1;
    const own = id;
    const answer = new Promise<Message>((resolve) => calls.set(own, resolve));
    output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result = {}, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
  ({ sessionId } = await call('Target.attachToTarget', { targetId, flatten: true }));
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await call(`${domain}.enable`);
  const valueOf = async (expression: string): Promise<unknown> => {
    const params = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await call('Runtime.evaluate', params);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { readonly value?: unknown }).value;
  };
  return {
    open: async (url) => {
      // Otherwise a page that differs only after the # stays.
      await call('Page.navigate', { url: 'about:blank' });
      await call('Page.navigate', { url });
    },
    valueOf,
    until: (expression) =>
      vi.waitFor(async () => expect(await valueOf(expression), expression).toBe(true), {
        timeout: 50_000,
        interval: 50,
      }),
    eventsOf: (kind) =>
      events.flatMap(({ method, params }) => (method === kind && params ? [params] : [])),
    send: call,
  };
}
