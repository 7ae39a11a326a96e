import type { Client } from 'undici';
import { createResponseKeeper } from './response-keeper.ts';
import type { Done } from '../clients.ts';
import { ResponseTooLong } from '../failure.ts';
import { resultOf, type ReceivedResponse, type SendResult } from './result.ts';

/** Enough to read a short response to its end, so that the connection is reusable. */
const responseBytesMax = 16 * 1024;
/** The most interim responses (1xx). A receiver needs one or two. */
const interimResponsesMax = 8;
/** Their responses end with their headers. undici misses the body that a Content-Length names. */
const statusesWithoutBody: ReadonlySet<number> = new Set([204, 304]);

export type Post = {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** As in a send request. */
  readonly keptBytes?: number | undefined;
};

/**
 * POSTs once and reads the response to its end, or past 16 KiB, when the connection is not
 * reusable. It counts the bytes and does not decompress them; it keeps the first ones only if the
 * request asks for it. It is a handler of undici's `dispatch`, because `request` would create a
 * stream and a signal for each response.
 */
export function post(
  client: Client,
  { path, headers, body, keptBytes }: Post,
): Promise<Done<SendResult>> {
  return new Promise((resolve, reject) => {
    let response: ReceivedResponse = { statusCode: 0, headers: {} };
    let bytes = 0;
    let interimResponses = 0;
    const keeper = keptBytes === undefined ? null : createResponseKeeper(keptBytes);
    const done = (isReusable: boolean) => {
      const result = resultOf(response);
      const value =
        keeper === null ? result : { ...result, response: keeper.response(response.headers) };
      resolve({ value, isReusable });
    };
    client.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart(_controller, statusCode, received) {
          // Interim responses (103) arrive here too; the last response counts.
          response = { statusCode, headers: received };
          if (statusCode >= 200) return;
          interimResponses += 1;
          if (interimResponses <= interimResponsesMax) return;
          reject(new ResponseTooLong());
          // At once, because the piece may hold a thousand more. After an abort, undici would
          // connect again.
          void client.destroy();
        },
        onResponseData(controller, chunk) {
          bytes += chunk.length;
          keeper?.add(chunk);
          if (bytes <= responseBytesMax) return;
          // The caller destroys the client with its unread bytes.
          controller.pause();
          done(false);
        },
        onResponseEnd: () => done(true),
        onResponseError(_controller, error) {
          // As with a body beyond its limit, a status that came within the limit decides.
          const isDecided = error instanceof ResponseTooLong && response.statusCode >= 200;
          if (isDecided || statusesWithoutBody.has(response.statusCode)) done(false);
          else reject(error);
        },
      },
    );
  });
}
