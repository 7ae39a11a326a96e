import * as v from 'valibot';
import { errorCatalogue, isErrorCode, type ErrorCode } from '../../../domain/errors.ts';
import type { ReceivedResponse, Exchanged } from './exchange.ts';
import { followerId, smuggledId, type RawRequest } from './raw-requests.ts';

const envelope = v.strictObject({
  state: v.string(),
  payload: v.null(),
  details: v.record(v.string(), v.unknown()),
});
const fieldError = v.strictObject({
  // A field may have an empty name.
  field: v.string(),
  path: v.string(),
  code: v.pipe(v.string(), v.regex(/^[a-z_]+$/)),
  message: v.pipe(v.string(), v.nonEmpty()),
});
const fieldErrors = v.pipe(v.array(fieldError), v.minLength(1), v.maxLength(100));
const jsonEnvelope = v.pipe(v.string(), v.parseJson(), envelope);
const saneId = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,128}$/;

function idProblem({ status, headers }: ReceivedResponse, sentId: unknown): string | null {
  const id = headers['x-request-id'];
  const problem = `outside the envelope: x-request-id ${String(id)} for ${JSON.stringify(sentId)}`;
  if (typeof id !== 'string' || !saneId.test(id)) return problem;
  // Headers that are too large or late are not read, the request id among them.
  if (status === 431 || status === 408 || typeof sentId !== 'string') return null;
  return saneId.test(sentId) === (id === sentId) ? null : problem;
}

function bodyProblem({ status, body }: ReceivedResponse, due: readonly ErrorCode[]): string | null {
  const parsed = v.safeParse(jsonEnvelope, body);
  if (!parsed.success) return `outside the envelope: ${status} ${body.slice(0, 200)}`;
  const { state, details } = parsed.output;
  if (!isErrorCode(state)) return `outside the envelope: ${state} is not in the catalogue`;
  if (errorCatalogue[state].status !== status)
    return `outside the envelope: ${state} with ${status}`;
  if (state === 'VALIDATION_ERRORS' && !v.is(fieldErrors, details['errors']))
    return `outside the envelope: ${JSON.stringify(details).slice(0, 200)}`;
  return due.includes(state) ? null : `not due: ${state} instead of ${due.join(' or ')}`;
}

/** What is wrong with the response to a malformed request. */
export function judgeResponse(
  response: ReceivedResponse,
  due: readonly ErrorCode[],
  sentId?: unknown,
): readonly string[] {
  const { status, headers } = response;
  const type = headers['content-type'];
  return [
    status >= 500 ? `answered ${status}` : null,
    status < 400 ? `taken for well-formed: ${status}` : null,
    type === 'application/json; charset=utf-8' ? null : `outside the envelope: ${String(type)}`,
    idProblem(response, sentId),
    bodyProblem(response, due),
  ].filter((problem) => problem !== null);
}

const idOf = ({ headers }: ReceivedResponse): unknown => headers['x-request-id'];

/** The responses that are not the follower's. */
const ownResponses = ({ responses }: Exchanged): readonly ReceivedResponse[] =>
  responses.filter((response) => idOf(response) !== followerId);

/** What is wrong with what a connection brought. */
export function judgeExchange(sent: RawRequest, exchanged: Exchanged): readonly string[] {
  const own = ownResponses(exchanged);
  const [min, max] = sent.responses;
  const ids = own.map(idOf);
  const isFirst = sent.firstId === undefined || ids.length === 0 || ids[0] === sent.firstId;
  return [
    ...own.flatMap((response) => judgeResponse(response, sent.due)),
    ...(own.length < min || own.length > max ? [`${own.length} responses to one request`] : []),
    ...(ids.includes(smuggledId) ? ['the smuggled request was answered'] : []),
    ...(isFirst ? [] : ['the first request was not answered first']),
    ...(exchanged.rest === '' ? [] : [`half a response: ${exchanged.rest.slice(0, 100)}`]),
    ...(exchanged.isClosed || sent.end === 'cut' ? [] : ['the connection stays open']),
  ];
}
