import type { CommonArguments, Context } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';

type RecoverArguments = CommonArguments & {
  readonly id: string;
  readonly since: string;
  readonly deadLetters: boolean;
};

/** `webhooks recover`: repeats the call until the gateway finds nothing more to redeliver. */
export async function recoverWebhook(
  { id, since, deadLetters }: RecoverArguments,
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const { client } = await connect();
  const body = { since, ...(deadLetters ? ({ state: 'DeadLettered' } as const) : {}) };
  let total = 0;
  for (;;) {
    const { recovered } = await client.webhooks.recover(id, body, { signal });
    total += recovered;
    if (recovered === 0) break;
  }
  output.result({ recovered: total }, `Redelivers ${total} events.`);
  return exitCodes.ok;
}
