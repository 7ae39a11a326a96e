import { Pool } from 'undici';
import { judgeAnswer } from './answer.ts';
import { malformedRequest } from './generate.ts';
import type { MalformedRequest, Scene } from './request.ts';
import type { Tally } from './verdict.ts';

/** Requests under way at a time. */
const connections = 16;
const patienceMs = 20_000;

export type HttpSender = {
  readonly send: (
    request: Pick<MalformedRequest, 'method' | 'target' | 'headers' | 'body'>,
  ) => Promise<{
    status: number;
    headers: Record<string, string | string[] | undefined>;
    body: string;
  }>;
  readonly close: () => Promise<void>;
};

export function createHttpSender(origin: string): HttpSender {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  });
  return {
    send: async ({ method, target, headers, body }) => {
      const answer = await pool.request({
        method,
        path: target,
        headers: headers.flat(),
        body,
      });
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    },
    close: () => pool.close(),
  };
}

/** Does some work for each of the numbers, so much of it at a time. */
export async function inLanes(
  from: number,
  to: number,
  lanes: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < to) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Sends the requests of a seed from one number up to another, and judges each answer. */
export async function sendMalformed(
  sender: HttpSender,
  scene: Scene,
  tally: Tally,
  range: { readonly seed: string; readonly from: number; readonly to: number },
): Promise<void> {
  await inLanes(range.from, range.to, connections, async (number) => {
    const request = malformedRequest(scene, range.seed, number);
    const { mutators, method, headers, allowed } = request;
    try {
      const answer = await sender.send(request);
      const sentIds = headers.filter(([name]) => name === 'x-request-id').map(([, value]) => value);
      const judged = judgeAnswer(answer, { allowed, sentIds, isHead: method === 'HEAD' });
      tally.add(number, mutators, [
        {
          ...judged,
          problems: judged.problems.map(({ kind, text }) => ({
            kind,
            text: `${describe(request)}: ${text}`,
          })),
        },
      ]);
    } catch (error) {
      tally.fault(number, mutators, `${describe(request)}: no answer: ${String(error)}`);
    }
  });
}

const describe = ({ method, target, body }: MalformedRequest): string =>
  `${method} ${target.slice(0, 120)} ${body === null ? '' : `${body.length} bytes ${body.toString('latin1', 0, 120)}`}`.trimEnd();
