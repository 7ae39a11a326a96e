import type { ErrorCode } from '../../domain/errors.ts';
import {
  crlf,
  goodId,
  head,
  inParts,
  malformedHttp,
  refused,
  smuggled,
  tail,
  type ByteContext,
  type ByteMutator,
} from './bytes.ts';
import { twoEnds, wrongChunks, wrongLengths } from './lists.ts';

/** Where a request ends: lengths and chunks that say nothing, or two things at once. */

const toOffers = ({ token }: ByteContext): readonly string[] => [
  'POST /api/v1/scent/offers HTTP/1.1',
  'host: a',
  'content-type: application/json',
  `authorization: Bearer ${token}`,
];
const toNoRoute = (): readonly string[] => ['POST /api/v1/nope HTTP/1.1', 'host: a'];
const withoutToken = (): readonly string[] => ['POST /api/v1/scent/offers HTTP/1.1', 'host: a'];
/** What comes first, where a body is broken: the route, the token, or the body. */
const begin = (context: ByteContext): readonly string[] =>
  context.random.pick([toOffers, toNoRoute, withoutToken])(context);
const whicheverComesFirst: readonly ErrorCode[] = [
  ...malformedHttp,
  'NOT_FOUND_ROUTE',
  'UNAUTHORIZED_MISSING_TOKEN',
];

export const framingMutators: readonly ByteMutator[] = [
  refused(
    'wire: no length',
    (context) =>
      head(...begin(context), `content-length: ${context.random.pick(wrongLengths)}`) +
      `{"a":1}${smuggled}${tail}`,
  ),
  refused(
    'wire: two ends of one body',
    (context) =>
      head(...begin(context), ...context.random.pick(twoEnds)) +
      `0${crlf}${crlf}${smuggled}${tail}`,
  ),
  refused('wire: folded or bare lines', (context) => {
    const { random } = context;
    const lines = [...begin(context), 'content-length: 2'];
    return (
      random.pick([
        head(...lines, 'x: a\r\n b'),
        head(...lines, 'x: a\r\n\tb'),
        head(...lines, 'transfer-encoding:\r\n chunked'),
        `${lines.join('\r')}\r\r`,
        `${lines.join('\n\r')}\n\r\n\r`,
        `${lines.join(crlf)}\r\n\r{}`,
      ]) + `{}${smuggled}${tail}`
    );
  }),
  {
    name: 'wire: broken chunks',
    make: (context) => ({
      parts: inParts(
        head(...begin(context), 'transfer-encoding: chunked') +
          context.random.pick(wrongChunks) +
          smuggled +
          tail,
        context.random,
      ),
      end: 'wait',
      answers: { min: 1, max: 1 },
      allowed: whicheverComesFirst,
    }),
  },
  {
    name: 'wire: length too small',
    make: (context) => ({
      // What is left over is a request of its own, and none.
      parts: inParts(
        head(...begin(context), 'content-length: 3') + `{"a":1}\0${tail}`,
        context.random,
      ),
      end: 'wait',
      answers: { min: 1, max: 2 },
      allowed: [...whicheverComesFirst, 'UNSUPPORTED_MEDIA_TYPE'],
    }),
  },
  {
    name: 'wire: length too large, then the end',
    make: (context) => ({
      parts: inParts(
        head(...begin(context), `content-length: ${100 + context.random.below(1000)}`) + '{"a":1}',
        context.random,
      ),
      end: 'finish',
      answers: { min: 0, max: 1 },
      allowed: whicheverComesFirst,
    }),
  },
  {
    name: 'wire: length above 1 MiB',
    make: (context) => ({
      parts: [
        Buffer.from(
          `${head(...toOffers(context), `content-length: ${context.random.pick([1_048_577, 2 ** 40, 2 ** 53])}`)}{`,
        ),
      ],
      end: 'wait',
      answers: { min: 1, max: 1 },
      allowed: ['PAYLOAD_TOO_LARGE'],
    }),
  },
  {
    name: 'wire: garbage behind a request',
    make: (context) => {
      const { random, token, offerId } = context;
      const good = random.pick([
        head('GET /api/v1/nope HTTP/1.1', 'host: a', `x-request-id: ${goodId}`),
        head(
          `GET /api/v1/scent/offers/${offerId}?x=1 HTTP/1.1`,
          'host: a',
          `x-request-id: ${goodId}`,
          `authorization: Bearer ${token}`,
        ),
      ]);
      const garbage = Buffer.concat([Buffer.from([0]), random.bytes(random.below(300))]);
      return {
        parts: inParts(Buffer.concat([Buffer.from(good), garbage]), random),
        end: 'wait',
        answers: { min: 1, max: 2 },
        allowed: [...malformedHttp, 'NOT_FOUND_ROUTE', 'VALIDATION_UNKNOWN_QUERY_PARAMETER'],
        firstId: goodId,
      };
    },
  },
  {
    name: 'wire: half a request, then the end',
    make: (context) => {
      const { random } = context;
      const whole = head(...begin(context), 'content-length: 2');
      return {
        parts: inParts(whole.slice(0, 1 + random.below(whole.length - 2)), random),
        end: random.pick(['finish', 'cut']),
        answers: { min: 0, max: 1 },
        allowed: malformedHttp,
      };
    },
  },
];
