import * as v from 'valibot';
import { errorCatalogue, isErrorCode, type ErrorCode } from '../../domain/errors.ts';

/** An answer as it came, header names in lower case. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
};

/** What may not be, in the order of the report. */
export const problemKinds = [
  '5xx',
  'outside the envelope',
  'not what was due',
  'too few or many answers',
] as const;
export type Problem = { readonly kind: (typeof problemKinds)[number]; readonly text: string };

export type Judged = {
  /** What the answer is, for the table: its code, or its status where it has none. */
  readonly name: string;
  readonly problems: readonly Problem[];
};

const problem =
  (kind: Problem['kind']) =>
  (text: string): Problem => ({ kind, text });
const [fault, outside, notDue] = [
  problem('5xx'),
  problem('outside the envelope'),
  problem('not what was due'),
];
export const miscounted = problem('too few or many answers');

const refusal = v.strictObject({
  state: v.string(),
  payload: v.null(),
  details: v.record(v.string(), v.unknown()),
});
const fieldErrors = v.pipe(
  v.array(
    v.strictObject({
      // A field without a name is one, too.
      field: v.string(),
      path: v.string(),
      code: v.pipe(v.string(), v.regex(/^[a-z_]+$/)),
      message: v.pipe(v.string(), v.nonEmpty()),
    }),
  ),
  v.minLength(1),
  v.maxLength(100),
);

const saneId = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,128}$/;

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** What is wrong with the headers that every answer has. `sentIds` are the request ids that were sent. */
function headerProblems(
  { status, headers }: Answer,
  sentIds: readonly string[],
): readonly Problem[] {
  const id = headers['x-request-id'];
  // Where the headers are too large, or late, nobody has read what id they held.
  const isRead = status !== 431 && status !== 408;
  const [sent = ''] = sentIds;
  const problems: Problem[] = [];
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    problems.push(outside(`content-type ${String(headers['content-type'])}`));
  if (typeof id !== 'string' || !saneId.test(id))
    problems.push(outside(`x-request-id ${String(id)}`));
  else if (isRead && sentIds.length === 1 && saneId.test(sent) !== (id === sent))
    problems.push(outside(`x-request-id ${id} for ${JSON.stringify(sent)}`));
  return problems;
}

const dueOf = (allowed: ReadonlySet<ErrorCode>): string => `${[...allowed].join(' or ')} was due`;

function bodyProblems(
  { body, status }: Answer,
  allowed: ReadonlySet<ErrorCode>,
): readonly Problem[] {
  const parsed = v.safeParse(refusal, parse(body));
  if (!parsed.success) return [outside(`${status} is not in the envelope: ${body.slice(0, 200)}`)];
  const { state, details } = parsed.output;
  if (!isErrorCode(state)) return [outside(`${state} is not in the catalogue`)];
  const problems: Problem[] = [];
  if (errorCatalogue[state].status !== status) problems.push(outside(`${state} with ${status}`));
  if (!allowed.has(state)) problems.push(notDue(`${state} where ${dueOf(allowed)}`));
  if (state === 'VALIDATION_ERRORS' && !v.is(fieldErrors, details['errors']))
    problems.push(outside(`VALIDATION_ERRORS with ${JSON.stringify(details).slice(0, 200)}`));
  return problems;
}

/** HEAD: the envelope's headers alone. */
function headProblems(
  { body, status }: Answer,
  allowed: ReadonlySet<ErrorCode>,
): readonly Problem[] {
  if (body !== '') return [outside('a body where HTTP has none')];
  const isDue = [...allowed].some((code) => errorCatalogue[code].status === status);
  return isDue ? [] : [notDue(`${status} where ${dueOf(allowed)}`)];
}

/** The answer to a malformed request: one of the catalogue that was due, in the envelope, and never the server's own fault. */
export function judgeAnswer(
  answer: Answer,
  {
    allowed,
    sentIds,
    isHead = false,
  }: {
    readonly allowed: ReadonlySet<ErrorCode>;
    readonly sentIds: readonly string[];
    readonly isHead?: boolean;
  },
): Judged {
  const { status, body } = answer;
  const parsed = v.safeParse(refusal, parse(body));
  return {
    name: parsed.success ? parsed.output.state : String(status),
    problems: [
      ...(status >= 500 ? [fault(`answered ${status}`)] : []),
      ...(status < 400 ? [notDue(`taken for well-formed: ${status}`)] : []),
      ...headerProblems(answer, sentIds),
      ...(isHead ? headProblems(answer, allowed) : bodyProblems(answer, allowed)),
    ],
  };
}
