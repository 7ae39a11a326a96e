import { judgeAnswer, miscounted, type Answer, type Judged } from './answer.ts';
import { smuggledId, tailId, type ByteCase, type ByteContext } from './bytes.ts';
import { framingMutators } from './framing.ts';
import { inLanes } from './http.ts';
import { lineMutators } from './lines.ts';
import { createRandom } from './random.ts';
import type { Scene } from './request.ts';
import type { Tally } from './verdict.ts';
import { exchange, type Exchanged } from './wire.ts';

const lanes = 16;
const patienceMs = 20_000;

/** Connection so-and-so of a seed. */
export function byteCase(scene: Scene, seed: string, number: number): ByteCase {
  const random = createRandom(`${seed}/wire/${number}`);
  const { name, make } = random.pick([...lineMutators, ...framingMutators]);
  const [offerIds = []] = scene.idsFor('/api/v1/scent/offers/{id}');
  const context: ByteContext = { random, token: scene.tokens().vendor, offerId: offerIds[0] ?? '' };
  return { name, ...make(context) };
}

const idOf = ({ headers }: Answer): unknown => headers['x-request-id'];

/** What came back, held against what may: no answer too many, none to what is smuggled, and the connection closed. */
export function judgeExchange(
  sent: ByteCase,
  { answers, rest, isClosed }: Exchanged,
): readonly Judged[] {
  const own = answers.filter((answer) => idOf(answer) !== tailId);
  const allowed = new Set(sent.allowed);
  const judged = own.map((answer) => judgeAnswer(answer, { allowed, sentIds: [] }));
  const problems: string[] = [];
  if (own.some((answer) => idOf(answer) === smuggledId))
    problems.push('the smuggled request was answered');
  if (own.length > sent.answers.max) problems.push(`${own.length} answers to one request`);
  if (own.length < sent.answers.min) problems.push('no answer');
  const [first] = own;
  if (sent.firstId !== undefined && first !== undefined && idOf(first) !== sent.firstId)
    problems.push('the good request before it lost its answer');
  if (rest !== '') problems.push(`half an answer: ${rest.slice(0, 100)}`);
  if (!isClosed && sent.end !== 'cut') problems.push('the connection stays open');
  if (problems.length === 0) return judged;
  return [...judged, { name: 'problem', problems: problems.map(miscounted) }];
}

const shown = ({ parts }: ByteCase): string =>
  JSON.stringify(Buffer.concat(parts).toString('latin1').slice(0, 300));

/** Opens the connections of a seed from one number up to another, and judges what each comes to. */
export async function sendBytes(
  port: number,
  scene: Scene,
  tally: Tally,
  range: { readonly seed: string; readonly from: number; readonly to: number },
): Promise<void> {
  await inLanes(range.from, range.to, lanes, async (number) => {
    const sent = byteCase(scene, range.seed, number);
    const judged = judgeExchange(sent, await exchange({ port, patienceMs, ...sent }));
    const told = judged.map(({ name, problems }) => ({
      name,
      problems: problems.map(({ kind, text }) => ({ kind, text: `${shown(sent)}: ${text}` })),
    }));
    tally.add(number, [sent.name], told);
  });
}
