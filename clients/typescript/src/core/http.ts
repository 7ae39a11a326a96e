import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from '../schema.ts';
import { baseUrlOf } from './base-url.ts';
import { errorOf } from './errors.ts';
import { isObject, jsonOf } from './json.ts';
import { isRepeatable } from './repeatable.ts';
import { send, type RetryOptions, type Sender } from './send.ts';
import { createTokenSource } from './tokens.ts';

/** What a client needs. */
export type VendorClientOptions = {
  /** The gateway's address, such as `https://gateway.example.org`. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The environment of the gateway, for calls on credentials. Default: `Production`. */
  readonly environment?: 'Production' | 'Sandbox';
  /** Default: the runtime's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly retry?: RetryOptions;
};

/** Every vendors' operation by method and path, with token and retries. */
export type Http = Client<paths, 'application/json'>;

/** Sends every request of a client by {@link send}; openapi-fetch takes its response as its own. */
const sendBy = (sender: Sender): Middleware => ({
  onRequest: async ({ request, schemaPath, params }) => {
    requireIds(params.path ?? {});
    const { method, url } = request;
    const body = await request.text();
    const response = await send(sender, request, {
      isRepeatable: isRepeatable(
        { method, schemaPath },
        { body, hasKey: request.headers.has('idempotency-key') },
      ),
      body,
    });
    if (response.ok && isFileAskedFor(request, response)) return response;
    const received = await jsonOf(response.clone());
    if (response.ok && isEnvelope(received)) return response;
    throw errorOf(response, received, { method, path: new URL(url).pathname });
  },
});

/** URLs drop a segment of dots, and an empty one names the list: both would make another call. */
const noIds: readonly unknown[] = ['', '.', '..'];

/** Throws before anything is sent if a parameter of a path would change the path. */
function requireIds(parameters: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(parameters))
    if (noIds.includes(value)) throw new TypeError(`${name} is no id: '${String(value)}'`);
}

/** A file has no envelope. Only a call that accepts its type gets one. */
function isFileAskedFor(request: Request, response: Response): boolean {
  const type = response.headers.get('content-type') ?? '';
  return request.headers.get('accept') === 'text/csv' && type.startsWith('text/csv');
}

const isEnvelope = (value: unknown): boolean =>
  isObject(value) && 'state' in value && 'payload' in value;

function clientOver(baseUrl: string, sender: Sender): Http {
  // A redirect could carry the secret to another server. `send` refuses it with its address.
  const http = createClient<paths, 'application/json'>({ baseUrl, redirect: 'manual' });
  http.use(sendBy(sender));
  return http;
}

/** The payload of a call. */
export async function payloadOf<TPayload>(
  call: Promise<{ readonly data?: { readonly payload: TPayload } }>,
): Promise<TPayload> {
  const { payload } = await dataOf(call);
  return payload;
}

/** The whole response of a call. */
export async function dataOf<TData>(call: Promise<{ readonly data?: TData }>): Promise<TData> {
  const { data } = await call;
  // `sendBy` rejects every other response.
  return data as TData;
}

/** What a client needs before it has a credential. */
export type OpenClientOptions = Pick<VendorClientOptions, 'baseUrl' | 'fetch' | 'retry'>;

const transportOf = ({ fetch, retry = {} }: OpenClientOptions) => {
  const { attemptsMax = 6, timeoutMs = 60_000 } = retry;
  return {
    fetch: fetch ?? ((request: Request) => globalThis.fetch(request)),
    retry: { attemptsMax, timeoutMs },
  };
};

/** The typed HTTP client of calls without a token. Throws for an address that no call could use. */
export const createOpenHttp = (options: OpenClientOptions): Http =>
  clientOver(baseUrlOf(options.baseUrl), { ...transportOf(options), tokens: null });

/** The typed HTTP client of a credential. Throws for options that no call could use. */
export function createHttp(options: VendorClientOptions): Http {
  const { clientId, clientSecret } = options;
  const open = createOpenHttp(options);
  if (clientId === '' || clientSecret === '')
    throw new TypeError('clientId and clientSecret are required.');
  const tokens = createTokenSource((signal) =>
    payloadOf(open.POST('/api/v1/auth/token', { body: { clientId, clientSecret }, signal })),
  );
  return clientOver(baseUrlOf(options.baseUrl), { ...transportOf(options), tokens });
}
