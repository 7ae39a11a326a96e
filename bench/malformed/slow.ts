import { judgeAnswer, miscounted } from './answer.ts';
import { head } from './bytes.ts';
import type { Scene } from './request.ts';
import type { Tally } from './verdict.ts';
import { exchange } from './wire.ts';

/** A minute, in which the gateway has to have lost its patience with whoever does not go on. */
const patienceMs = 60_000;

const mutator = 'wire: half a request, kept open';

/** Connections that begin a request and never end it: told that they are late, and closed. */
export async function holdHalfRequests(port: number, scene: Scene, tally: Tally): Promise<void> {
  const token = scene.tokens().vendor;
  const body = [
    'content-type: application/json',
    'content-length: 100',
    `authorization: Bearer ${token}`,
  ];
  const halves = [
    'G',
    'GET /api/v1/nope HTTP/1.1\r\nhost: a\r\n',
    'GET /health\r\n',
    'GET /\n',
    `${head('POST /api/v1/scent/offers HTTP/1.1', 'host: a', ...body)}{"a":`,
    head(
      'POST /api/v1/auth/token HTTP/1.1',
      'host: a',
      'content-type: application/json',
      'transfer-encoding: chunked',
    ),
  ];
  const allowed = new Set(['REQUEST_TIMEOUT'] as const);
  const hold = async (half: string, number: number): Promise<void> => {
    const sent = { port, parts: [Buffer.from(half)], end: 'wait', patienceMs } as const;
    const { answers, isClosed } = await exchange(sent);
    const judged = answers.map((answer) => judgeAnswer(answer, { allowed, sentIds: [] }));
    const problems = [
      ...(answers.length === 1 ? [] : [`${JSON.stringify(half)}: ${answers.length} answers`]),
      ...(isClosed ? [] : [`${JSON.stringify(half)}: the connection stays open`]),
    ];
    tally.add(
      number,
      [mutator],
      problems.length === 0
        ? judged
        : [...judged, { name: 'problem', problems: problems.map(miscounted) }],
    );
  };
  // Four of each, at once.
  await Promise.all([...halves, ...halves, ...halves, ...halves].map(hold));
}
