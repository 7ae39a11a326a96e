import { gzipSync } from 'node:zlib';
import { bodyBytesMax } from '../../api/http/body-parser.ts';
import type { Random } from './random.ts';
import { bodyError, type Draft, type Mutator } from './request.ts';
import { mediaTypes } from './lists.ts';
import { brokenSyntax, deepText, encodings, noObject, wrongBytes } from './texts.ts';

/** What can be wrong with the bytes of a body, and with what is said of them. */

const readsBody: Mutator['fits'] = ({ body }) => body !== null;

/** The draft's text is an object, whose first character is its brace. */
const onText = (
  name: string,
  change: (text: string, random: Random) => string | Buffer,
): Mutator => ({
  name,
  fits: readsBody,
  mutate: (draft: Draft, random) => {
    draft.body = Buffer.from(change(draft.body?.toString() ?? '{}', random));
    return bodyError;
  },
});

const insert = (text: string, random: Random, bytes: readonly number[]): Buffer => {
  const whole = Buffer.from(text);
  const place = random.below(whole.length + 1);
  return Buffer.concat([whole.subarray(0, place), Buffer.from(bytes), whole.subarray(place)]);
};

const overLimit: Mutator = {
  name: 'body: above 1 MiB',
  fits: readsBody,
  mutate: (draft, random) => {
    const bytes = bodyBytesMax + 1 + random.pick([0, 1, 1000, 200_000]);
    draft.body = Buffer.alloc(bytes, random.pick([' ', '{', '[', 'x']));
    return ['PAYLOAD_TOO_LARGE'];
  },
};

const gzip: Mutator = {
  name: 'body: compressed',
  fits: readsBody,
  mutate: (draft, random) => {
    draft.body = gzipSync(draft.body ?? '{}', { level: 1 });
    draft.headers.push([
      'content-encoding',
      random.pick(['gzip', 'x-gzip', 'br', 'deflate', 'gzip, gzip', 'identity']),
    ]);
    return bodyError;
  },
};

const mediaType: Mutator = {
  name: 'body: wrong media type',
  fits: readsBody,
  mutate: (draft, random) => {
    if (draft.body === null || draft.body.length === 0) draft.body = Buffer.from('{}');
    draft.contentType = random.pick([...mediaTypes, null]);
    return ['UNSUPPORTED_MEDIA_TYPE'];
  },
};

const charset: Mutator = {
  name: 'body: odd charset, broken',
  fits: readsBody,
  mutate: (draft, random) => {
    const odd = [
      'utf-16',
      'utf-7',
      'latin1',
      '"utf-8',
      'x'.repeat(300),
      '',
      'utf-8; charset=utf-16',
      '%00',
      '*=UTF-8',
    ];
    draft.contentType = `application/json; charset=${random.pick(odd)}`;
    draft.body = Buffer.concat([draft.body ?? Buffer.alloc(0), Buffer.from('}')]);
    return ['VALIDATION_ERRORS', 'UNSUPPORTED_MEDIA_TYPE'];
  },
};

const empty: Mutator = {
  name: 'body: none',
  fits: ({ body }) => (body?.required ?? []).length > 0,
  mutate: (draft, random) => {
    draft.body = random.pick([null, Buffer.from(' '), Buffer.from('\r\n\t'), Buffer.from('{}')]);
    return bodyError;
  },
};

export const bodyMutators: readonly Mutator[] = [
  onText('body: broken JSON', (text, random) => random.pick(brokenSyntax)(text)),
  onText('body: cut short', (text, random) => text.slice(0, 1 + random.below(text.length - 1))),
  onText('body: no object', (_text, random) => random.pick(noObject)),
  onText('body: up to 500,000 levels', (_text, random) => deepText(random)),
  // Cut, so that four bytes a character make no megabytes of it; it would be no less malformed whole.
  onText('body: another encoding', (text, random) =>
    random.pick(encodings)(text.slice(0, 100_000)),
  ),
  onText('body: bytes that are no text', (text, random) =>
    insert(text, random, random.pick(wrongBytes)),
  ),
  onText('body: random bytes', (_text, random) =>
    Buffer.concat([Buffer.from([0xff]), random.bytes(random.below(3000))]),
  ),
  overLimit,
  gzip,
  empty,
  charset,
  mediaType,
];
