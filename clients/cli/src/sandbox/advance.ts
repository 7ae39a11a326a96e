import { randomUUID } from 'node:crypto';
import { AdvanceStoppedError } from 'vendor-gateway-client';
import type { CommonArguments, Context } from '../core/command.ts';
import { exitCodes, usageError, type ExitCode } from '../core/exit.ts';

type Arguments = CommonArguments & { readonly by: string; readonly wait: boolean };

/** The ISO 8601 duration of a text such as `72h`; a text that is a duration stays. */
function durationOf(text: string): string {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count === '' && !text.startsWith('P'))
    throw usageError(`${text} is no duration`, 'Write 90m, 72h, 3d or PT72H.');
  if (count === '') return text;
  return unit === 'd' ? `P${count}D` : `PT${count}${unit.toUpperCase()}`;
}

/** `sandbox advance`: advances the clock, and waits until it is ready. */
export async function advanceClock(
  { by, wait }: Arguments,
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const advanceBy = durationOf(by);
  const { client } = await connect();
  // The key makes the call safe to repeat: it advances once.
  const options = { idempotencyKey: randomUUID(), signal };
  if (!wait) {
    const clock = await client.sandbox.advance({ advanceBy }, options);
    output.result(clock, `It advances to ${clock.target}.`);
    return exitCodes.ok;
  }
  try {
    const clock = await client.sandbox.advanceAndWait({ advanceBy }, options);
    output.result(clock, `It is ${clock.now}.`);
    return exitCodes.ok;
  } catch (error) {
    if (!(error instanceof AdvanceStoppedError)) throw error;
    const { now, stopReason } = error.clock;
    const reason = stopReason ?? 'your vendor was reset';
    output.result(error.clock, `It is ${now}. It stopped before its target: ${reason}.`);
    return exitCodes.failed;
  }
}
