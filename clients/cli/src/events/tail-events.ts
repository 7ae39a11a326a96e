import { untilInterrupted, type CommonArguments, type Context } from '../core/command.ts';
import { inLine } from '../core/output.ts';
import { describeEvent } from './describe-event.ts';
import { bodyOf, feedOptions, latestSequence, typeOf } from './feed.ts';

type Arguments = CommonArguments & {
  readonly after: number | undefined;
  readonly type: string | undefined;
  readonly follow: boolean;
};

const eventsByDefault = 10;

/** `events tail`: prints events of the feed. */
export async function tailEvents(
  { after, type, follow }: Arguments,
  { output, signal, connect }: Context,
): Promise<void> {
  const { client } = await connect();
  const start = after ?? Math.max(0, (await latestSequence(client, signal)) - eventsByDefault);
  const print = async (): Promise<void> => {
    for await (const event of client.events.after(start, feedOptions(type, follow, signal))) {
      const { sequence, occurredAt } = event;
      output.result(
        bodyOf(event),
        inLine(`${sequence}  ${occurredAt}  ${typeOf(event)}  ${describeEvent(event)}`),
      );
    }
  };
  if (follow) await untilInterrupted(signal, print);
  else await print();
}
