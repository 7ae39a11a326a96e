import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError, exitCodes, usageError } from '../core/exit.ts';

type Question = {
  readonly isSecret?: boolean;
  /** What to throw without a terminal. */
  readonly otherwise?: CliError;
};

/** Asks for a line on the terminal. */
export type Ask = (question: string, options?: Question) => Promise<string>;

type Terminal = {
  readonly input: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  readonly interrupt: () => void;
};

const noTerminal = (): CliError =>
  usageError(
    'There is no terminal to ask on',
    'Set VENDOR_GATEWAY_URL, VENDOR_GATEWAY_CLIENT_ID and VENDOR_GATEWAY_CLIENT_SECRET.',
  );

/** What a person pastes with a text without seeing it, such as marks of direction. */
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Questions on stderr. A secret is not echoed. */
export const createAsk =
  ({ input, stderr, signal, interrupt }: Terminal): Ask =>
  async (question, { isSecret = false, otherwise = noTerminal() } = {}) => {
    if (!input.isTTY) throw otherwise;
    if (isSecret) stderr.write(`${question}: `);
    const nothing = new Writable({
      write: (_chunk, _encoding, done) => {
        done();
      },
    });
    const reader = createInterface({
      input,
      output: isSecret ? nothing : stderr,
      terminal: true,
      historySize: 0,
    });
    // The terminal is in raw mode: Ctrl-C comes as a key.
    reader.once('SIGINT', interrupt);
    try {
      const line = await Promise.race([
        reader.question(isSecret ? '' : `${question}: `, { signal }),
        new Promise<never>((_resolve, reject) => {
          reader.once('close', () =>
            reject(new CliError(exitCodes.interrupted, 'INTERRUPTED', 'The input has ended')),
          );
        }),
      ]);
      return line.replaceAll(invisible, '').trim();
    } finally {
      reader.close();
      if (isSecret) stderr.write('\n');
    }
  };
