import { Pool } from 'undici';
import { connect } from '../../../db/core/client.ts';
import { newWebhookSecret, signatureHeaders } from '../../../security/webhook-signature.ts';
import { serveParent } from '../fork-program.ts';

/**
 * The least that a sender can do: claim events of a table, sign and send them, and record the
 * results in batches. It has no retries, no leases and no checks of addresses.
 */
const claimMax = 100;
const receiver = new Pool(process.env['RECEIVER_ORIGIN'] ?? '', { connections: 64, pipelining: 1 });
const sql = connect(process.env['DATABASE_URL'] ?? '', { max: 4, name: 'floor sender' });
const secret = newWebhookSecret();

type Event = { readonly id: string; readonly body: string };

/** Runs `work` once at a time; a call during `work` causes one more. */
function coalesce(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const loop = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await work();
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void loop();
  };
}

const delivered: string[] = [];
const record = coalesce(async () => {
  const ids = delivered.splice(0);
  await sql`update floor_events set delivered_at = now() where id = any(${ids}::uuid[])`;
});

async function send({ id, body }: Event): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    ...signatureHeaders(secret, `evt_${id}`, new Date(), body),
  };
  const response = await receiver.request({ method: 'POST', path: '/hook', headers, body });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`the receiver answered ${response.statusCode}`);
  delivered.push(id);
  record();
}

const claim = coalesce(async () => {
  for (;;) {
    const events = await sql<Event[]>`
      update floor_events set claimed_at = now()
      where id in (
        select id from floor_events where claimed_at is null order by id limit ${claimMax}
        for update skip locked
      )
      returning id, body`;
    const sending = Promise.all(events.map(send));
    // A full batch is the limit of concurrent requests.
    if (events.length < claimMax) return;
    await sending;
  }
});

await sql.listen('floor_events', claim, claim);
serveParent('', () => sql.end({ timeout: 5 }));
