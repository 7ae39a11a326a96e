import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freeFormOffer } from '../../support/actors.ts';
import {
  approvedOffer,
  byNumber,
  castOf,
  submitOffer,
  succeeded,
  type AuditRow,
  type Cast,
  type EventData,
  type OptionRow,
} from '../offer-record.ts';
import { changeAgreement, followAll } from '../../accounts/agreements/offer-fleet.ts';
import {
  fieldErrorsOf,
  refusal,
  startGateway,
  textOf,
  type Answer,
  type Gateway,
} from '../../support/api.ts';

// Calls that meet on one offer, in real transactions on the real Postgres. Of every round it is asked that there is an order
// in which its answers, and all that is stored, are what the rules say.

const rounds = 100;
const chunk = 10;

let gateway: Gateway;
let cast: Cast;

beforeAll(async () => {
  gateway = await startGateway();
  cast = await castOf(gateway);
});
afterAll(() => gateway.close());

type Stored = {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly vendorSku: string | null;
  readonly vendorExternalId: string | null;
  readonly barcode: string | null;
  readonly costNet: number;
  readonly pendingCostNet: number | null;
  readonly declaredStockQuantity: number | null;
  readonly declaredInStock: boolean;
  readonly awaitingSince: Date | null;
  readonly option: OptionRow | null;
  /** Every status, from the first: `PendingReview > Approved`. */
  readonly way: string;
  readonly froms: readonly (string | null)[];
  readonly audit: readonly AuditRow[];
  readonly events: readonly EventData[];
};

/** All that is stored of some offers. */
async function storedOf(ids: readonly string[]): Promise<readonly Stored[]> {
  const { sql } = gateway;
  const offers = await sql<Stored[]>`select * from offers where id = any(${[...ids]})`;
  const options = await sql<(OptionRow & { offerId: string })[]>`
    select * from supply_options where offer_id = any(${[...ids]})`;
  const changes = await sql<{ offerId: string; fromStatus: string | null; toStatus: string }[]>`
    select offer_id, from_status, to_status from offer_status_changes
    where offer_id = any(${[...ids]}) order by id`;
  const audit = await sql<(AuditRow & { subjectId: string })[]>`
    select * from audit_log where subject_id = any(${[...ids]}) order by id`;
  const events = (await sql<{ body: string }[]>`select body from webhook_events order by id`).map(
    ({ body }) => (JSON.parse(body) as { data: EventData }).data,
  );
  return ids.map((id) => {
    const offer = offers.find((row) => row.id === id);
    if (offer === undefined) throw new Error(`no offer ${id}`);
    const own = changes.filter(({ offerId }) => offerId === id);
    return {
      ...offer,
      option: options.find(({ offerId }) => offerId === id) ?? null,
      way: own.map(({ toStatus }) => toStatus).join(' > '),
      froms: own.map(({ fromStatus }) => fromStatus),
      audit: audit.filter(({ subjectId }) => subjectId === id),
      events: events.filter(({ offerId }) => offerId === id),
    };
  });
}

const isOk = ({ status }: Answer): boolean => status < 300;
const decisionOfAction: Readonly<Record<string, string>> = {
  'offer.approve': 'Approved',
  'offer.reject': 'Rejected',
  'offer.applyPrice': 'PriceApplied',
  'offer.discardPrice': 'PriceDiscarded',
};

/**
 * What must hold of an offer whatever met on it: its history is one chain to its status, every operator's act has its audit
 * entry and every decision its event, its version counts its changes, and what it sells as agrees with it.
 */
function expectSound(offer: Stored, changes: number, operatorActs: number): void {
  const steps = offer.way.split(' > ');
  expect(offer.froms).toEqual([null, ...steps.slice(0, -1)]);
  expect(steps.at(-1)).toBe(offer.status);
  expect(offer.version).toBe(1 + changes);
  expect(offer.audit).toHaveLength(operatorActs);
  for (const { before, after } of offer.audit) {
    expect(after?.['version']).toBe(Number(before?.['version']) + 1);
  }
  expect(new Set(offer.audit.map(({ after }) => after?.['version'])).size).toBe(operatorActs);
  const decisions = offer.audit.flatMap(({ action }) => decisionOfAction[action] ?? []);
  expect(offer.events.map(({ decision }) => decision)).toEqual(decisions);

  const isLive = offer.option !== null && !offer.option.isPaused;
  expect(isLive ? ['Approved', 'PendingReview'] : [offer.status]).toContain(offer.status);
  expect(offer.status === 'Approved' ? isLive : true).toBe(true);
  if (offer.option !== null) {
    expect(offer.option).toMatchObject({
      stockQuantity: offer.declaredStockQuantity,
      inStock: offer.declaredInStock,
      net: offer.costNet,
    });
  }
  expect(offer.awaitingSince !== null).toBe(
    ['PendingMatch', 'PendingReview'].includes(offer.status) ||
      (offer.status === 'Approved' && offer.pendingCostNet !== null),
  );
}

/** What no committed state may ever show; looked at all the time while the calls meet. */
let impossible: readonly unknown[];
let watched: { isOver: boolean };
let watching: Promise<void>;
async function watch(since: Date, test: { readonly isOver: boolean }): Promise<void> {
  while (!test.isOver && impossible.length === 0) {
    impossible = await gateway.sql`
      select offers.id, status, is_paused, stock_quantity, declared_stock_quantity, net, cost_net
      from offers left join supply_options on supply_options.offer_id = offers.id
      where offers.created_at >= ${since} and (
        (not is_paused and status not in ('Approved', 'PendingReview'))
        or (status = 'Approved' and is_paused is distinct from false)
        or (is_paused is not null and (stock_quantity, in_stock)
          is distinct from (declared_stock_quantity, declared_in_stock))
      )`;
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
beforeEach(() => {
  impossible = [];
  watched = { isOver: false };
  watching = watch(new Date(), watched);
});
afterEach(async () => {
  watched.isOver = true;
  await watching;
  expect(impossible).toEqual([]);
});

/** Comes back after so many milliseconds, more exactly than a timer. */
async function after(ms: number): Promise<void> {
  const due = performance.now() + ms;
  while (performance.now() < due) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

type Racer<TSubject> = (subject: TSubject, round: number) => Promise<Answer>;

/**
 * A hundred rounds of calls that start together, the second and later ones a little after the first or before it, by another
 * few hundred microseconds in every round.
 */
async function race<TSubject>(
  setUp: (round: number) => Promise<TSubject>,
  racers: readonly Racer<TSubject>[],
  count = rounds,
): Promise<readonly { readonly subject: TSubject; readonly answers: readonly Answer[] }[]> {
  const outcomes: { subject: TSubject; answers: readonly Answer[] }[] = [];
  for (let first = 0; first < count; first += chunk) {
    const numbers = Array.from(
      { length: Math.min(chunk, count - first) },
      (_, index) => first + index,
    );
    const subjects = await Promise.all(numbers.map(setUp));
    for (const [index, subject] of subjects.entries()) {
      const round = first + index;
      const lead = ((round % 25) - 5) * 0.4;
      const answers = await Promise.all(
        racers.map(async (racer, place) => {
          await after(
            place === 0 ? Math.max(0, -lead) : Math.max(0, lead) * (place / (racers.length - 1)),
          );
          return racer(subject, round);
        }),
      );
      for (const answer of answers) expect(answer.status, answer.text).toBeLessThan(500);
      outcomes.push({ subject, answers });
    }
  }
  return outcomes;
}

/** The same where the subject is one offer: with what is stored of each at the end. */
async function raceOn(setUp: (round: number) => Promise<string>, racers: readonly Racer<string>[]) {
  const outcomes = await race(setUp, racers);
  const stored = await storedOf(outcomes.map(({ subject }) => subject));
  return outcomes.map(({ answers }, index) => {
    const offer = stored[index];
    if (offer === undefined) throw new Error('an offer for each round');
    return { answers, offer, statuses: answers.map(({ status }) => status) };
  });
}

const decide =
  (path: string, body: Readonly<Record<string, unknown>> = {}): Racer<string> =>
  (id) =>
    cast.by('Reviewer', 'POST', `/offers/${id}/${path}`, body);
const approve = decide('approve');
const reject = decide('reject', { reason: 'No.' });
const suspend = decide('suspend', { reason: 'Recall.' });
const apply = decide('pending-price/apply');
const patch =
  (body: Readonly<Record<string, unknown>>, path = ''): Racer<string> =>
  (id) =>
    cast.byVendor('PATCH', `/${id}${path}`, body);
const withdraw: Racer<string> = (id) => cast.byVendor('POST', `/${id}/withdraw`);
const pushStock =
  (declaredStockQuantity: number): Racer<string> =>
  (id) =>
    cast.byVendor('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity });

const inReview = () => submitOffer(cast, { declaredStockQuantity: 3 });
const live = () => approvedOffer(cast, { declaredStockQuantity: 3 });
const newCost = { cost: 150, costIsVatInclusive: false };
const liveWithStagedPrice = async () => {
  const id = await live();
  succeeded(await patch(newCost)(id, 0));
  return id;
};
/** Approved once, and in review again: it sells on. */
const inReviewAgain = async () => {
  const id = await live();
  succeeded(await patch({ vendorSku: 'FIRST' })(id, 0));
  return id;
};
const inMatching = () => submitOffer(cast, { variantId: null });
const approveMatched: Racer<string> = (id) =>
  cast.by('Reviewer', 'POST', `/offers/${id}/approve`, { variantId: cast.variant.id });
const createWithKey: Racer<string> = (vendorExternalId) =>
  cast.byVendor('POST', '', { ...freeFormOffer, vendorExternalId });
const newKey = async (round: number) => `race ${round}`;
const inReviewTwice = () => Promise.all([submitOffer(cast), submitOffer(cast)]);
const takeKey =
  (place: 0 | 1): Racer<readonly [string, string]> =>
  (ids, round) =>
    patch({ vendorExternalId: `taken ${round}` })(ids[place], round);
const beforeASwitch = async () => {
  const by = await castOf(gateway);
  const [review, priced, draft, live] = await Promise.all([
    submitOffer(by),
    submitOffer(by),
    submitOffer(by, { saveAsDraft: true }),
    approvedOffer(by),
  ]);
  return { by, ids: { review, priced, draft, live } };
};
const waiters = (count: number) =>
  expect
    .poll(
      async () => {
        const [row] = await gateway.sql<[{ count: number }]>`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return row.count;
      },
      { timeout: 10_000, interval: 5 },
    )
    .toBe(count);

/** Keeps back whatever needs that lock: an operator's command when it comes to its audit entry, a vendor's at the option. */
async function keepBack(id: string, by: 'audit' | 'option'): Promise<() => Promise<void>> {
  const keeper = await gateway.sql.reserve();
  await keeper`begin`;
  await (by === 'audit'
    ? keeper`lock table audit_log in share mode`
    : keeper`select from supply_options where offer_id = ${id} for update`);
  return async () => {
    await keeper`rollback`;
    keeper.release();
  };
}

async function meet(
  id: string,
  by: 'audit' | 'option',
  first: Racer<string>,
  second: Racer<string>,
) {
  const release = await keepBack(id, by);
  const answering: Promise<Answer>[] = [];
  try {
    answering.push(first(id, 0));
    await waiters(1);
    answering.push(second(id, 0));
    await waiters(2);
  } finally {
    await release();
  }
  const answers = await Promise.all(answering);
  for (const answer of answers) expect(answer.status, answer.text).toBe(200);
  const [offer] = await storedOf([id]);
  if (offer === undefined) throw new Error('no offer');
  return offer;
}
const invalidTransition = (status: string, action: string) =>
  refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action });

describe('an edit against an approval', () => {
  test('of an identity: the approval was of what it said, else it waits for another', async () => {
    for (const { offer, statuses } of await raceOn(inReview, [
      approve,
      patch({ vendorSku: 'NEW' }),
    ])) {
      expect(statuses).toEqual([200, 200]);
      expectSound(offer, 2, 1);
      expect(['PendingReview > Approved', 'PendingReview > Approved > PendingReview']).toContain(
        offer.way,
      );
      expect(offer).toMatchObject({ vendorSku: 'NEW', option: { isPaused: false } });
    }
  });

  test('of an identity, with the version that the reviewer read: nothing unread is approved', async () => {
    const approveRead = decide('approve', { expectedVersion: 1 });
    for (const { offer, answers, statuses } of await raceOn(inReview, [
      approveRead,
      patch({ vendorSku: 'NEW' }),
    ])) {
      expect(statuses[1]).toBe(200);
      expect(offer).toMatchObject({ status: 'PendingReview', vendorSku: 'NEW' });
      if (statuses[0] === 200) {
        expectSound(offer, 2, 1);
        expect(offer.way).toBe('PendingReview > Approved > PendingReview');
      } else {
        expect(answers[0]).toMatchObject(
          refusal('CONFLICT_VERSION', { expectedVersion: 1, version: 2 }),
        );
        expectSound(offer, 1, 0);
        expect(offer.option).toBeNull();
      }
    }
  });

  test.each([
    ['edit', patch(newCost)],
    ['push', patch(newCost, '/cost')],
  ])(
    'of a price by an %s: it is live with the approval, or staged after it',
    async (_by, change) => {
      for (const { offer, statuses } of await raceOn(inReview, [approve, change])) {
        expect(statuses).toEqual([200, 200]);
        expectSound(offer, 2, 1);
        expect(offer.way).toBe('PendingReview > Approved');
        expect([
          [15_000, null],
          [10_000, 15_000],
        ]).toContainEqual([offer.costNet, offer.pendingCostNet]);
      }
    },
  );

  test('of the first barcode: the approval’s own is replaced, which is another identity, or is not taken', async () => {
    for (const { offer, statuses } of await raceOn(inMatching, [
      approveMatched,
      patch({ barcode: '96385074' }),
    ])) {
      expect(statuses).toEqual([200, 200]);
      expectSound(offer, 2, 1);
      expect(offer.barcode).toBe('96385074');
      expect(['PendingMatch > Approved', 'PendingMatch > Approved > PendingReview']).toContain(
        offer.way,
      );
    }
  });
});

describe('an edit against a rejection', () => {
  test.each([
    ['an identity', patch({ vendorSku: 'NEW' })],
    ['a price', patch(newCost)],
    ['a pushed price', patch(newCost, '/cost')],
    ['a barcode', patch({ barcode: '96385074' })],
  ])('of %s: rejected with it, or resubmitted by it', async (_what, change) => {
    for (const { offer, statuses } of await raceOn(inReview, [reject, change])) {
      expect(statuses).toEqual([200, 200]);
      expectSound(offer, 2, 1);
      expect(['PendingReview > Rejected', 'PendingReview > Rejected > PendingReview']).toContain(
        offer.way,
      );
      expect(offer.option).toBeNull();
    }
  });

  test('of an offer that sells while it is in review again: it stops selling, whoever was first', async () => {
    for (const { offer, statuses } of await raceOn(inReviewAgain, [
      reject,
      patch({ vendorSku: 'NEW' }),
    ])) {
      expect(statuses).toEqual([200, 200]);
      expectSound(offer, 4, 2);
      expect(offer.option).toMatchObject({ isPaused: true });
    }
  });
});

test('approve against reject: one is made, the other is told that it is too late', async () => {
  for (const { offer, answers, statuses } of await raceOn(inReview, [approve, reject])) {
    expect(statuses.toSorted(byNumber)).toEqual([200, 422]);
    expectSound(offer, 1, 1);
    const isApproved = statuses[0] === 200;
    expect(offer.status).toBe(isApproved ? 'Approved' : 'Rejected');
    expect(answers[isApproved ? 1 : 0]).toMatchObject(
      isApproved
        ? invalidTransition('Approved', 'reject')
        : invalidTransition('Rejected', 'approve'),
    );
  }
});

test('two approvals: one is made, and there is one supply option and one event', async () => {
  for (const { offer, answers, statuses } of await raceOn(inReview, [approve, approve])) {
    expect(statuses.toSorted(byNumber)).toEqual([200, 422]);
    expectSound(offer, 1, 1);
    expect(answers.find((answer) => !isOk(answer))).toMatchObject(
      invalidTransition('Approved', 'approve'),
    );
    const { payload } = answers.find(isOk) ?? { payload: null };
    expect(payload).toMatchObject({ supplyOptionId: offer.option?.id });
  }
});

test('twenty creates with one vendorExternalId: one offer, one 201, one body', async () => {
  const outcomes = await race(
    newKey,
    Array.from({ length: 20 }, () => createWithKey),
  );
  for (const { answers } of outcomes) {
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([
      ...Array<number>(19).fill(200),
      201,
    ]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  }
  const ids = outcomes.map(({ answers: [answer] }) =>
    answer === undefined ? '' : textOf(answer, 'id'),
  );
  for (const offer of await storedOf(ids)) expectSound(offer, 0, 0);
  const keys = outcomes.map(({ subject }) => subject);
  expect(
    await gateway.sql`select id from offers where vendor_external_id = any(${keys})`,
  ).toHaveLength(rounds);
});

test('stock pushes during an approval: what the offer has in stock is what it sells', async () => {
  const pushes = [11, 12, 13, 14, 15];
  for (const { offer, statuses } of await raceOn(inReview, [approve, ...pushes.map(pushStock)])) {
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expectSound(offer, 6, 1);
    expect(pushes).toContain(offer.declaredStockQuantity);
    expect(offer.way).toBe('PendingReview > Approved');
  }
});

test('withdraw against approve: it never sells after it was withdrawn', async () => {
  for (const { offer, answers, statuses } of await raceOn(inReview, [approve, withdraw])) {
    expect(statuses[1]).toBe(200);
    expect(offer.status).toBe('Withdrawn');
    const isApproved = statuses[0] === 200;
    if (!isApproved) expect(answers[0]).toMatchObject(invalidTransition('Withdrawn', 'approve'));
    expectSound(offer, isApproved ? 2 : 1, isApproved ? 1 : 0);
    expect(offer.option?.isPaused ?? null).toBe(isApproved ? true : null);
  }
});

test('withdraw and stock pushes against approve: it never sells after it was withdrawn', async () => {
  const racers = [approve, pushStock(11), withdraw, pushStock(12)];
  for (const { offer, statuses } of await raceOn(inReview, racers)) {
    expect(statuses.slice(1)).toEqual([200, 200, 200]);
    const isApproved = statuses[0] === 200;
    expect(offer.status).toBe('Withdrawn');
    expectSound(offer, isApproved ? 4 : 3, isApproved ? 1 : 0);
  }
});

test('suspend against approve: it is not yet there to suspend, or it is suspended and does not sell', async () => {
  for (const { offer, answers, statuses } of await raceOn(inReview, [approve, suspend])) {
    expect(statuses[0]).toBe(200);
    const isSuspended = statuses[1] === 200;
    if (!isSuspended)
      expect(answers[1]).toMatchObject(invalidTransition('PendingReview', 'suspend'));
    expect(offer.status).toBe(isSuspended ? 'Suspended' : 'Approved');
    expectSound(offer, isSuspended ? 2 : 1, isSuspended ? 2 : 1);
  }
});

test('suspend against a cost push: suspended, with the price staged', async () => {
  for (const { offer, statuses } of await raceOn(live, [suspend, patch(newCost, '/cost')])) {
    expect(statuses).toEqual([200, 200]);
    expectSound(offer, 3, 2);
    expect(offer).toMatchObject({ status: 'Suspended', costNet: 10_000, pendingCostNet: 15_000 });
  }
});

test.each([
  ['suspend', suspend, 'Suspended', 3],
  ['withdraw', withdraw, 'Withdrawn', 2],
] as const)(
  '%s against the staged price’s application: the price is live, the offer is not',
  async (_name, move, status, operatorActs) => {
    for (const { offer, statuses } of await raceOn(liveWithStagedPrice, [apply, move])) {
      expect(statuses).toEqual([200, 200]);
      expectSound(offer, 4, operatorActs);
      expect(offer).toMatchObject({
        status,
        costNet: 15_000,
        pendingCostNet: null,
        option: { isPaused: true },
      });
    }
  },
);

test('one vendorExternalId for two offers at once: one has it, the other is told that it is taken', async () => {
  const outcomes = await race(inReviewTwice, [takeKey(0), takeKey(1)]);
  const stored = await storedOf(outcomes.flatMap(({ subject }) => subject));
  for (const { subject, answers } of outcomes) {
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 400]);
    for (const [place, answer] of answers.entries()) {
      const offer = stored.find(({ id }) => id === subject[place]);
      if (offer === undefined) throw new Error('an offer for each');
      expectSound(offer, isOk(answer) ? 1 : 0, 0);
      expect(offer.vendorExternalId === null).toBe(!isOk(answer));
      if (!isOk(answer)) expect(fieldErrorsOf(answer)).toEqual(['VendorExternalId taken']);
    }
  }
});

describe('an agreement switch against a decision, a price, a move of the vendor’s and a new offer', () => {
  type Ids = Readonly<Record<'review' | 'priced' | 'draft' | 'live' | 'created', string>>;
  type Round = {
    readonly switched: Answer;
    readonly approved: Answer;
    readonly priced: Answer;
    readonly submitted: Answer;
    readonly withdrawn: Answer;
    readonly created: Answer;
    /** As an operator reads each, right after the calls and once all is stored. */
    readonly reads: { readonly before: unknown; readonly after: unknown };
    readonly stored: Readonly<Record<keyof Ids, Stored>>;
  };
  let played: readonly Round[];

  type Subject = Awaited<ReturnType<typeof beforeASwitch>>;
  const racers: readonly Racer<Subject>[] = [
    ({ by }) => changeAgreement(by, 'PercentageOfSale'),
    ({ by, ids }) => by.by('Reviewer', 'POST', `/offers/${ids.review}/approve`, {}),
    ({ by, ids }) => by.byVendor('PATCH', `/${ids.priced}/cost`, newCost),
    ({ by, ids }) => by.byVendor('POST', `/${ids.draft}/submit`),
    ({ by, ids }) => by.byVendor('POST', `/${ids.live}/withdraw`),
    ({ by }) => by.byVendor('POST', '', { ...freeFormOffer, variantId: by.variant.id }),
  ];

  async function judge({ by, ids }: Subject, answers: readonly Answer[]): Promise<Round> {
    const [switched, approved, priced, submitted, withdrawn, created] = answers;
    if (!switched || !approved || !priced || !submitted || !withdrawn || !created)
      throw new Error('six answers');
    const all: Ids = { ...ids, created: textOf(succeeded(created), 'id') };
    const reads = () =>
      Promise.all(
        Object.values(all).map(async (id) => {
          const { payload } = succeeded(await by.by('Reviewer', 'GET', `/offers/${id}`));
          return { ...payload, supply: null };
        }),
      );
    const before = await reads();
    await followAll(gateway.sql, by.vendor.vendorId);
    const after = await reads();
    const names = Object.keys(all) as (keyof Ids)[];
    const rows = await storedOf(names.map((name) => all[name]));
    const stored = Object.fromEntries(
      names.map((name, index) => [name, rows[index]]),
    ) as Round['stored'];
    return {
      switched,
      approved,
      priced,
      submitted,
      withdrawn,
      created,
      reads: { before, after },
      stored,
    };
  }

  beforeAll(async () => {
    const outcomes = await race(beforeASwitch, racers);
    const judged: Round[] = [];
    for (const { subject, answers } of outcomes) judged.push(await judge(subject, answers));
    played = judged;
  });

  test('each call was before the switch, or after it', () => {
    for (const {
      switched,
      approved,
      priced,
      submitted,
      withdrawn,
      created,
      reads,
      stored,
    } of played) {
      const statuses = [switched, submitted, withdrawn, created].map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 200, 201]);
      expect(reads.after).toEqual(reads.before);
      // Approved before, and moved with the others; or no longer there to approve.
      const isApproved = approved.status === 200;
      expectSound(stored.review, isApproved ? 2 : 1, isApproved ? 1 : 0);
      expect(stored.review.way).toBe(
        `PendingReview > ${isApproved ? 'Approved > ' : ''}PendingRepricing`,
      );
      if (!isApproved)
        expect(approved).toMatchObject(invalidTransition('PendingRepricing', 'approve'));
      // Priced before; or the price is no longer the agreement's.
      const isPriced = priced.status === 200;
      expectSound(stored.priced, isPriced ? 2 : 1, 0);
      expect(stored.priced).toMatchObject({
        way: 'PendingReview > PendingRepricing',
        costNet: isPriced ? 15_000 : 10_000,
      });
      if (!isPriced) expect(priced.state).toBe('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT');
      expectSound(stored.draft, 2, 0);
      expectSound(stored.live, 3, 1);
      expectSound(stored.created, stored.created.way === 'PendingReview' ? 0 : 1, 0);
    }
  });

  test('the switch counts whoever came to PendingRepricing by it, and nobody else', () => {
    for (const { switched, stored } of played) {
      const ways = Object.values(stored).map(({ way }) => way);
      expect(switched.payload?.['offersMovedToRepricing'], ways.join('; ')).toBe(
        ways.filter((way) => way.includes('PendingRepricing')).length,
      );
    }
  });
});

// The same meetings without chance: the first call has made its changes and is kept from committing them, the second arrives.
describe('a call that arrives while another is being made', () => {
  test('stock during the first approval is what the offer sells', async () => {
    const offer = await meet(await inReview(), 'audit', approve, pushStock(11));
    expect(offer).toMatchObject({
      status: 'Approved',
      declaredStockQuantity: 11,
      option: { stockQuantity: 11 },
    });
    expectSound(offer, 2, 1);
  });

  test('stock in the older form during the first approval is what the offer sells', async () => {
    const body = { cost: 100, costIsVatInclusive: false, declaredStockQuantity: 11 };
    expectSound(await meet(await inReview(), 'audit', approve, patch(body)), 2, 1);
  });

  test.each([
    ['suspended', suspend, 'Suspended', 2],
    ['withdrawn', withdraw, 'Withdrawn', 1],
  ] as const)(
    '%s during the first approval, it does not sell',
    async (_name, move, status, operatorActs) => {
      const offer = await meet(await inReview(), 'audit', approve, move);
      expect(offer).toMatchObject({ status, option: { isPaused: true } });
      expectSound(offer, 2, operatorActs);
    },
  );

  test.each([
    ['applied', apply, 15_000],
    ['discarded', decide('pending-price/discard'), 10_000],
  ] as const)(
    'a price %s during a withdrawal does not let the offer sell again',
    async (_name, decision, net) => {
      const offer = await meet(await liveWithStagedPrice(), 'option', withdraw, decision);
      expect(offer).toMatchObject({
        status: 'Withdrawn',
        costNet: net,
        option: { isPaused: true },
      });
      expectSound(offer, 4, 2);
    },
  );

  test.each([
    ['applied', apply, 15_000],
    ['discarded', decide('pending-price/discard'), 10_000],
  ] as const)(
    'a price %s during a suspension does not let the offer sell again',
    async (_name, decision, net) => {
      const offer = await meet(await liveWithStagedPrice(), 'audit', suspend, decision);
      expect(offer).toMatchObject({
        status: 'Suspended',
        costNet: net,
        option: { isPaused: true },
      });
      expectSound(offer, 4, 3);
    },
  );

  test('a price applied while it is reinstated does not pause the offer again', async () => {
    const id = await liveWithStagedPrice();
    succeeded(await suspend(id, 0));
    const offer = await meet(id, 'audit', decide('reinstate', { reason: 'Checked.' }), apply);
    expect(offer).toMatchObject({
      status: 'Approved',
      costNet: 15_000,
      option: { isPaused: false },
    });
    expectSound(offer, 5, 4);
  });

  test('withdrawn while a price is applied, it does not sell', async () => {
    const offer = await meet(await liveWithStagedPrice(), 'audit', apply, withdraw);
    expect(offer).toMatchObject({
      status: 'Withdrawn',
      costNet: 15_000,
      option: { isPaused: true },
    });
    expectSound(offer, 4, 2);
  });
});
