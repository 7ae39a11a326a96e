import { Pool } from 'undici';

/** Requests under way at a time, each on a connection of its own; of a benchmark's main client. */
export const connectionsMax = 32;

type Sent = { readonly body?: object; readonly text?: string; readonly token?: string };

/** Keeps connections to one origin, without pipelining; `localAddress`: from another address. */
export function createHttpClient(
  origin: string,
  connections = connectionsMax,
  localAddress?: string,
) {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  return {
    /** One request; returns its JSON, and rejects unless it is answered with 2xx. */
    request: async (
      method: 'GET' | 'POST' | 'PATCH',
      path: string,
      { body, text: plain, token }: Sent = {},
    ): Promise<unknown> => {
      const response = await pool.request({
        method,
        path,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(plain === undefined ? {} : { 'content-type': 'text/plain' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(plain === undefined ? {} : { body: plain }),
      });
      const text = await response.body.text();
      if (response.statusCode >= 300)
        throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
      return JSON.parse(text);
    },
    close: () => pool.close(),
  };
}
export type HttpClient = ReturnType<typeof createHttpClient>;
