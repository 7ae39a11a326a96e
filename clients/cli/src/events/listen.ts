import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { untilInterrupted, type CommonArguments, type Context } from '../core/command.ts';
import { folderOf, profileOf, type Credentials } from '../core/credentials.ts';
import type { Environment } from '../core/environment.ts';
import { usageError } from '../core/exit.ts';
import { inLine, type Output } from '../core/output.ts';
import { hasFields, readStateFile, writePrivateFile } from '../core/state-file.ts';
import { describeEvent } from './describe-event.ts';
import { bodyOf, feedOptions, latestSequence, typeOf } from './feed.ts';
import { forwardEvent, type Receiver } from './forward-event.ts';

type Arguments = CommonArguments & {
  readonly forward: string;
  readonly after: number | undefined;
  readonly type: string | undefined;
  readonly position: string | undefined;
};

type Position = { readonly baseUrl: string; readonly clientId: string; readonly after: number };

const isPosition = (value: unknown): value is Position =>
  hasFields(value, { baseUrl: 'string', clientId: 'string', after: 'number' }) &&
  Number.isSafeInteger(value['after']);

/** The stored position, if it is of the same credential at the same gateway. */
async function readPosition(file: string, of: Credentials, output: Output): Promise<number | null> {
  const stored = await readStateFile(file, isPosition, output);
  const isOfIt = stored?.baseUrl === of.baseUrl && stored.clientId === of.clientId;
  return isOfIt ? stored.after : null;
}

/** The file of the positions of a profile. */
function positionFile(environment: Environment): string {
  const profile = profileOf(environment);
  const name = profile === null ? 'webhooks-listen' : `webhooks-listen.${profile}`;
  return join(folderOf(environment), `${name}.json`);
}

function receiverOf(forward: string, secret: string): Receiver {
  if (!URL.canParse(forward)) throw usageError('--forward is not a URL');
  const url = new URL(forward);
  if (!/^https?:$/.test(url.protocol)) throw usageError('--forward is not an http or https URL');
  try {
    return { url, signer: secret === '' ? null : new Webhook(secret) };
  } catch {
    throw usageError('VENDOR_GATEWAY_WEBHOOK_SECRET is not a secret: whsec_ and base64');
  }
}

/** `webhooks listen`: posts the events of the feed to a receiver, one after another. */
export async function listen(
  { forward, after, type, position }: Arguments,
  { output, environment, signal, connect }: Context,
): Promise<void> {
  const receiver = receiverOf(forward, environment['VENDOR_GATEWAY_WEBHOOK_SECRET'] ?? '');
  const { client, credentials } = await connect();
  const { baseUrl, clientId } = credentials;
  const file = position ?? positionFile(environment);
  const stored = after ?? (await readPosition(file, credentials, output));
  const start = stored ?? (await latestSequence(client, signal));
  output.note(
    `For development only. The bodies are ${
      receiver.signer === null
        ? 'unsigned; VENDOR_GATEWAY_WEBHOOK_SECRET signs them'
        : 'signed with VENDOR_GATEWAY_WEBHOOK_SECRET'
    }. Forwarding events after ${start} to ${receiver.url.origin}. Ctrl-C ends.`,
  );
  await untilInterrupted(signal, async () => {
    for await (const event of client.events.after(start, feedOptions(type, true, signal))) {
      const { eventId, sequence } = event;
      const body = JSON.stringify(bodyOf(event));
      await forwardEvent(receiver, { eventId, body }, { output, signal });
      await writePrivateFile(file, JSON.stringify({ baseUrl, clientId, after: sequence }));
      const eventType = typeOf(event);
      output.result(
        { sequence, eventId, eventType, action: 'forwarded' },
        inLine(`forwarded  ${sequence}  ${eventType}  ${eventId}  ${describeEvent(event)}`),
      );
    }
  });
}
