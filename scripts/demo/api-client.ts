import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';

const envelope = v.object({
  state: v.string(),
  payload: v.nullable(v.unknown()),
  details: v.record(v.string(), v.unknown()),
});

export type ApiResponse = v.InferOutput<typeof envelope> & { readonly status: number };
export type CallOptions = {
  readonly body?: object;
  /** A body that is no JSON. */
  readonly file?: { readonly type: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
};
/** Some of a payload's values; arrays are compared as a whole. */
type Values<T> = T extends string
  ? string
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { readonly [Key in keyof T]?: Values<T[Key]> }
      : T;

/** Calls the gateway as one caller. A request is a method and a path: `GET /api/v1/webhooks`. */
export type ApiClient = {
  call(request: string, options?: CallOptions): Promise<ApiResponse>;
  /**
   * Returns the payload. Rejects unless the status (200), the form and the values are as expected.
   */
  expect<const TSchema extends v.GenericSchema>(
    request: string,
    schema: TSchema,
    options?: CallOptions & {
      readonly status?: number;
      readonly values?: Values<v.InferOutput<TSchema>>;
    },
  ): Promise<v.InferOutput<TSchema>>;
  /** Rejects unless the response is this refusal: `400 VALIDATION_ERRORS`. */
  expectRefusal(request: string, refusal: string, options?: CallOptions): Promise<void>;
  withToken(token: () => Promise<string> | string): ApiClient;
};

const secretFields = new Set(['clientSecret', 'operatorSecret', 'secret', 'accessToken']);
const textMax = 150;
const waitTimeoutMs = 60_000;

/** A value as one short line, without secrets. */
function summarize(value: unknown): string {
  const text =
    JSON.stringify(value, (key, field: unknown) => {
      if (secretFields.has(key)) return '…';
      return field === null ? undefined : field;
    }) ?? '';
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}

/** Creates a client that prints each request and response in short. */
export function createApiClient(
  baseUrl: string,
  print: (line: string) => void = () => {},
  token?: () => Promise<string> | string,
): ApiClient {
  const call: ApiClient['call'] = async (request, { body, file, headers } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const shown = body ?? file?.text;
    print(`    ${request}${shown === undefined ? '' : ` ${summarize(shown)}`}`);
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(file === undefined ? {} : { 'content-type': file.type }),
        ...(token === undefined ? {} : { authorization: `Bearer ${await token()}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file.text }),
      signal: AbortSignal.timeout(30_000),
    });
    const received = { ...v.parse(envelope, await response.json()), status: response.status };
    print(
      `    ${received.status} ${received.state} ${summarize(received.payload ?? received.details)}`,
    );
    return received;
  };
  return {
    call,
    expect: async (request, schema, { status = 200, values, ...options } = {}) => {
      const response = await call(request, options);
      const found = `${response.status} ${response.state}`;
      expect(response.status === status, `${request} answers ${status}, not ${found}`);
      const payload = v.parse(schema, response.payload);
      expectValues(payload, values ?? {}, request);
      return payload;
    },
    expectRefusal: async (request, refusal, options) => {
      const { status, state } = await call(request, options);
      const found = `${status} ${state}`;
      expect(found === refusal, `${request} answers ${refusal}, not ${found}`);
    },
    withToken: (next) => createApiClient(baseUrl, print, next),
  };
}

export function expect(isTrue: boolean, expectation: string): void {
  if (!isTrue) throw new Error(`expected: ${expectation}`);
}

/** Throws unless every expected value is found; other properties may have any value. */
export function expectValues(found: unknown, expected: unknown, path: string): void {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) {
    const isEqual = isDeepStrictEqual(found, expected);
    expect(isEqual, `${path} is ${summarize(expected)}, not ${summarize(found)}`);
    return;
  }
  const fields = v.parse(v.record(v.string(), v.unknown()), found);
  for (const [key, value] of Object.entries(expected)) {
    expectValues(fields[key], value, `${path} ${key}`);
  }
}

/** Reads until the result is as expected, every 100 ms. Rejects after 60 s. */
export async function waitFor<T>(
  read: () => Promise<T>,
  isExpected: (found: T) => boolean,
  everyMs = 100,
): Promise<T> {
  for (const deadline = Date.now() + waitTimeoutMs; ; await sleep(everyMs)) {
    const found = await read();
    if (isExpected(found)) return found;
    expect(Date.now() < deadline, `another result than ${summarize(found)} within a minute`);
  }
}
