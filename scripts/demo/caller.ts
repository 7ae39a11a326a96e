import * as v from 'valibot';

const answerForm = v.object({
  state: v.string(),
  payload: v.nullable(v.unknown()),
  details: v.record(v.string(), v.unknown()),
});

export type Answer = v.InferOutput<typeof answerForm> & { readonly status: number };
export type Print = (line: string) => void;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls a gateway and prints each request and answer in short. */
export type Caller = {
  readonly call: (
    method: Method,
    path: string,
    body?: object,
    options?: {
      readonly token?: string;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    },
  ) => Promise<Answer>;
};

const secretFields = new Set(['clientSecret', 'operatorSecret', 'secret', 'accessToken']);
const textMax = 150;

/** A value as one short line; secrets are left out. */
export function short(value: unknown): string {
  const text =
    JSON.stringify(value, (key, field: unknown) => {
      if (secretFields.has(key)) return '…';
      return field === null ? undefined : field;
    }) ?? '';
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}

export function createCaller(baseUrl: string, print: Print): Caller {
  return {
    call: async (method, path, body, { token, headers } = {}) => {
      print(`    ${method} ${path}${body === undefined ? '' : ` ${short(body)}`}`);
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
      const answer = { ...v.parse(answerForm, await response.json()), status: response.status };
      print(`    ${answer.status} ${answer.state} ${short(answer.payload ?? answer.details)}`);
      return answer;
    },
  };
}

/** The payload of an answer that must have this status and this form. */
export function payloadOf<const TSchema extends v.GenericSchema>(
  answer: Answer,
  status: number,
  schema: TSchema,
): v.InferOutput<TSchema> {
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status} ${answer.state}`);
  return v.parse(schema, answer.payload);
}

/** Fails the demo unless the answer refuses with this status and state. */
export function expectRefusal(answer: Answer, status: number, state: string): void {
  expect(answer.status === status && answer.state === state, `${status} ${state}`);
}

/** Fails the demo, with what was expected. */
export function expect(isTrue: boolean, expectation: string): void {
  if (!isTrue) throw new Error(`expected: ${expectation}`);
}
