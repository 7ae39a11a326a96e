import type { CommonArguments, Context } from '../core/command.ts';

type RecoverArguments = CommonArguments & {
  readonly id: string;
  readonly since: string;
  readonly deadLetters: boolean;
};

/** The most of a kind that one call recovers. */
const perCall = 10_000;

/** `webhooks recover`: repeats the call while the gateway may have left something. */
export async function recoverWebhook(
  { id, since, deadLetters }: RecoverArguments,
  { output, signal, connect }: Context,
): Promise<void> {
  const { client } = await connect();
  const body = { since, ...(deadLetters ? ({ state: 'DeadLettered' } as const) : {}) };
  const total = { recovered: 0, madeDue: 0, missed: 0 };
  for (;;) {
    const { recovered, madeDue, missed } = await client.webhooks.recover(id, body, { signal });
    total.recovered += recovered;
    total.madeDue += madeDue;
    total.missed += missed;
    if (Math.max(recovered, madeDue, missed) < perCall) break;
  }
  const others = deadLetters ? '' : `, ${total.madeDue} that waited, ${total.missed} missed ones`;
  output.result(total, `Redelivers ${total.recovered} events${others}.`);
}
