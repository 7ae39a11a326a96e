import type { Client } from 'undici';
import type { Done } from './clients.ts';
import { resultOf, type Answer, type SendResult } from './result.ts';

/** Enough for a receiver's short answer, so that its connection can be used again; nobody reads it. */
const answerBytesMax = 16 * 1024;

export type Post = {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * POSTs once, and reads the answer to its end or past 16 KiB, whichever is first; only at its end is the connection
 * reusable. Bytes are counted as they come: nothing is decompressed and nothing kept. Written as undici's handler, since
 * `request` makes a stream and an abort signal for each answer, and nobody wants its bytes.
 */
export function post(client: Client, { path, headers, body }: Post): Promise<Done<SendResult>> {
  return new Promise((resolve, reject) => {
    let answer: Answer = { statusCode: 0, headers: {} };
    let bytes = 0;
    const done = (isReusable: boolean) => resolve({ value: resultOf(answer), isReusable });
    client.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart(_controller, statusCode, received) {
          // Interim answers (103) come this way too, and the last one counts.
          answer = { statusCode, headers: received };
        },
        onResponseData(controller, chunk) {
          bytes += chunk.length;
          if (bytes <= answerBytesMax) return;
          // The client is about to be destroyed, with what it has not read.
          controller.pause();
          done(false);
        },
        onResponseEnd: () => done(true),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
