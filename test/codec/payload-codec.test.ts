import { randomBytes } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import { expect, test } from 'vitest';
import { UnknownKeyError } from '../../security/cipher-ring.ts';
import { answerCodecCall } from '../../codec/codec-calls.ts';
import { createPayloadCodec, isEncrypted } from '../../codec/payload-codec.ts';

const newKey = (): string => randomBytes(32).toString('base64');
const [older, newer] = [newKey(), newKey()];
const payload: Payload = {
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from('{"offerId":"of a vendor"}'),
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const textOf = ({ metadata, data }: Payload): string =>
  [...Object.entries(metadata ?? {}).flat(), data ?? '']
    .map((part) => Buffer.from(part).toString('utf8'))
    .join('\n');
const reads = async (key: string | undefined, payloads: Payload[]): Promise<void> => {
  const decoded = await createPayloadCodec(key).decode(payloads);
  expect(decoded.map(textOf)).toEqual(payloads.map(() => textOf(payload)));
};

test('with a key, a payload shows the id of its key and nothing of its content', async () => {
  const encoded = await createPayloadCodec(newer).encode([payload, payload]);
  for (const each of encoded) {
    expect(isEncrypted(each)).toBe(true);
    expect(Object.keys(each.metadata ?? {})).toEqual(['encoding', 'encryption-key-id']);
    expect(textOf(each)).not.toMatch(/offerId|json/);
  }
  expect(encoded[0]?.data).not.toEqual(encoded[1]?.data);
  await reads(newer, encoded);
});

test('without a key, payloads stay as they are', async () => {
  for (const key of [undefined, `none,${newer}`])
    expect(await createPayloadCodec(key).encode([payload])).toEqual([payload]);
});

test('every key of the ring decrypts, also while nothing is encrypted', async () => {
  const encoded = await createPayloadCodec(older).encode([payload]);
  await reads(`${newer},${older}`, encoded);
  await reads(`none,${newer},${older}`, encoded);
  await reads(newer, await createPayloadCodec(`${newer},${older}`).encode([payload]));
});

test('payloads that are not encrypted are read beside encrypted ones', async () => {
  const [encoded] = await createPayloadCodec(newer).encode([payload]);
  await reads(newer, [payload, encoded ?? payload, payload]);
});

test('an error names the key that is missing, and what to do', async () => {
  const encoded = await createPayloadCodec(older).encode([payload]);
  for (const key of [undefined, newer]) {
    const decoding = createPayloadCodec(key).decode(encoded);
    await expect(decoding).rejects.toThrow(UnknownKeyError);
    await expect(decoding).rejects.toThrow(/the key [\da-f]{16}: add that key to TEMPORAL_PAYLOAD/);
  }
});

test('a payload with any changed byte does not open', async () => {
  const [encoded] = await createPayloadCodec(newer).encode([payload]);
  const data = Buffer.from(encoded?.data ?? []);
  for (const [at, byte] of data.entries()) {
    const changed = Buffer.from(data).fill(byte ^ 1, at, at + 1);
    const decoding = createPayloadCodec(newer).decode([{ ...encoded, data: changed }]);
    await expect(decoding).rejects.toThrow();
  }
});

test('the remote codec protocol encrypts and decrypts, in the JSON form of payloads', async () => {
  const codec = createPayloadCodec(newer);
  const sent = {
    payloads: [
      { metadata: { encoding: base64('json/plain') }, data: base64('{"a":1}') },
      { metadata: { encoding: base64('binary/null') } },
    ],
  };
  const encoded = await answerCodecCall(codec, 'encode', JSON.stringify(sent));
  expect(encoded.status).toBe(200);
  expect(JSON.stringify(encoded.body)).not.toContain(base64('{"a":1}'));
  const decoded = await answerCodecCall(codec, 'decode', JSON.stringify(encoded.body));
  expect(decoded).toEqual({
    status: 200,
    body: { payloads: [sent.payloads[0], { ...sent.payloads[1], data: '' }] },
  });
});

test.each(['', '{', 'null', '{"payloads":1}', '{"payloads":[{"data":"%"}]}', '{"payloads":[1]}'])(
  'a call with the body %j is refused with the form that it wants',
  async (body) => {
    expect(await answerCodecCall(createPayloadCodec(newer), 'decode', body)).toEqual({
      status: 400,
      body: { message: 'The body must be {"payloads": […]} of Temporal.' },
    });
  },
);

test('a call for a key that is missing says so, and nothing else', async () => {
  const [encoded] = await createPayloadCodec(older).encode([payload]);
  const json = {
    metadata: Object.fromEntries(
      Object.entries(encoded?.metadata ?? {}).map(([name, value]) => [
        name,
        Buffer.from(value).toString('base64'),
      ]),
    ),
    data: Buffer.from(encoded?.data ?? []).toString('base64'),
  };
  const body = JSON.stringify({ payloads: [json] });
  expect(await answerCodecCall(createPayloadCodec(newer), 'decode', body)).toEqual({
    status: 400,
    body: { message: expect.stringContaining('add that key to TEMPORAL_PAYLOAD_KEY') },
  });
});

test('the Temporal CLI leaves out an empty list, and gets an empty one', async () => {
  expect(await answerCodecCall(createPayloadCodec(newer), 'decode', '{}')).toEqual({
    status: 200,
    body: { payloads: [] },
  });
});
