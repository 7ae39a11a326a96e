import { setTimeout as sleep } from 'node:timers/promises';
import type { CommonArguments, Context } from '../core/command.ts';
import { exitCodes, usageError, type ExitCode } from '../core/exit.ts';

type Arguments = CommonArguments & { readonly by: string };

/** The ISO 8601 duration of a text such as `72h`; a text that is a duration stays. */
function durationOf(text: string): string {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count === '' && !text.startsWith('P'))
    throw usageError(`${text} is no duration`, 'Write 90m, 72h, 3d or PT72H.');
  if (count === '') return text;
  return unit === 'd' ? `P${count}D` : `PT${count}${unit.toUpperCase()}`;
}

/** `sandbox advance`: advances the clock, and ends when it is ready. */
export async function advanceClock(
  { by }: Arguments,
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const advanceBy = durationOf(by);
  const { client } = await connect();
  let clock = await client.sandbox.advance({ advanceBy }, { signal });
  while (clock.state === 'Advancing') {
    await sleep(200, undefined, { signal });
    clock = await client.sandbox.clock({ signal });
  }
  const { now, stopReason } = clock;
  const stopped = stopReason === null ? '' : ` It stopped before its target: ${stopReason}.`;
  output.result(clock, `It is ${now}.${stopped}`);
  return stopReason === null ? exitCodes.ok : exitCodes.failed;
}
