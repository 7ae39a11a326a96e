import type { Payload, PayloadCodec } from '@temporalio/common';
import * as v from 'valibot';

/**
 * Temporal's remote codec protocol, by which the UI and the CLI show encrypted payloads: a POST to
 * `/decode` or `/encode` with `{payloads}`, in the JSON form of their messages.
 */

const bytes = v.pipe(
  v.string(),
  v.check((text) => text === '' || v.is(v.pipe(v.string(), v.base64()), text)),
  v.transform((text) => Buffer.from(text, 'base64')),
);
const callBody = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    // The JSON form leaves out empty lists and empty bytes.
    payloads: v.optional(
      v.array(
        v.object({
          metadata: v.optional(v.record(v.string(), bytes)),
          data: v.optional(bytes),
        }),
      ),
      [],
    ),
  }),
);

export type CodecOperation = 'encode' | 'decode';
/** The operation of a path, such as `/decode`; null if it is none. */
export function codecOperationOf(path: string): CodecOperation | null {
  const [, operation] = /^\/(encode|decode)(?:\?|$)/.exec(path) ?? [];
  return operation === 'encode' || operation === 'decode' ? operation : null;
}

export type CodecAnswer = { readonly status: 200 | 400; readonly body: object };

const toJson = ({ metadata, data }: Payload): object => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]),
  ),
  data: base64(data ?? Buffer.alloc(0)),
});
const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64');

/**
 * Answers a call. A body that does not follow the protocol or cannot be decrypted is 400 with a
 * reason.
 */
export async function answerCodecCall(
  codec: PayloadCodec,
  operation: CodecOperation,
  text: string,
): Promise<CodecAnswer> {
  const parsed = v.safeParse(callBody, text);
  if (!parsed.success)
    return { status: 400, body: { message: 'The body must be {"payloads": […]} of Temporal.' } };
  try {
    const payloads = await codec[operation](parsed.output.payloads as Payload[]);
    return { status: 200, body: { payloads: payloads.map(toJson) } };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The payloads do not open.';
    return { status: 400, body: { message } };
  }
}
