import { expect } from 'vitest';
import { newOperator } from '../../support/api/actors.ts';
import { call, fieldErrorsOf, itemsOf, refusal, unknownId } from '../../support/api/api.ts';
import { instant, uuidV7 } from '../../support/api/matchers.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newReturnFixture } from '../returns/return-fixture.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
// Notes of staff on an offer, a return or a vendor (D163).

const test = gatewayTest
  .extend('subjects', { scope: 'file' }, async ({ gateway }) => {
    const { vendor, returnIn } = await newReturnFixture(gateway);
    const offers = await newOfferFixture(gateway);
    const ids = {
      offer: await offers.offerIn('PendingReview'),
      return: await returnIn('Pending'),
      vendor: vendor.vendorId,
    };
    return { ids, offers };
  })
  .extend('staff', ({ gateway }) => async (role: 'Reviewer' | 'Operations' | 'Admin' = 'Admin') => {
    const operator = await newOperator(gateway, [role]);
    const { token } = operator;
    return {
      operator,
      write: (body: object) => call(gateway, 'POST', '/operator/v1/notes', { token, body }),
      list: (subjectType: string, subjectId: string) => {
        const query = String(new URLSearchParams({ subjectType, subjectId }));
        return call(gateway, 'GET', `/operator/v1/notes?${query}`, { token });
      },
    };
  });

test('lists the notes on each kind of subject, newest first, with author and time', async ({
  subjects: { ids },
  staff,
}) => {
  const { operator, write, list } = await staff();
  for (const [subjectType, subjectId] of Object.entries(ids)) {
    const note = (text: string) => ({ subjectType, subjectId, text });
    const shown = (text: string) => ({
      ...note(text),
      id: uuidV7,
      operatorId: operator.operatorId,
      at: instant,
    });
    const written = await write(note('First\nnote.'));
    expect(written.status).toBe(201);
    expect(written.payload).toStrictEqual(shown('First\nnote.'));
    await write(note('Second note.'));
    const listed = itemsOf(await list(subjectType, subjectId.toUpperCase()));
    expect(listed).toStrictEqual([shown('Second note.'), written.payload]);
  }
  expect(itemsOf(await list('offer', unknownId()))).toEqual([]);
});

test('lets only who works on a subject read and write its notes', async ({
  subjects: { ids },
  staff,
}) => {
  const may = { offer: 'Reviewer', return: 'Operations', vendor: null } as const;
  for (const role of ['Reviewer', 'Operations'] as const) {
    const { write, list } = await staff(role);
    for (const kind of ['offer', 'return', 'vendor'] as const) {
      const subject = { subjectType: kind, subjectId: ids[kind] };
      const responses = [await list(kind, ids[kind]), await write({ ...subject, text: 'A note.' })];
      const isAllowed = [role, null].includes(may[kind]);
      for (const response of responses)
        if (isAllowed) expect(response.state).toBe('SUCCESS');
        else expect(response).toMatchObject(refusal('FORBIDDEN', { requiredRole: may[kind] }));
    }
  }
});

test('refuses an unknown subject, a blank text and one of 2,001 characters', async ({
  subjects: { ids },
  staff,
}) => {
  const { write } = await staff();
  const note = { subjectType: 'offer', subjectId: ids.offer, text: 'A note.' };
  for (const [subjectType, code] of [
    ['offer', 'NOT_FOUND_VENDOR_OFFER'],
    ['return', 'NOT_FOUND_RETURN_REQUEST'],
    ['vendor', 'NOT_FOUND_VENDOR'],
  ] as const) {
    const unknown = { ...note, subjectType, subjectId: unknownId() };
    expect(await write(unknown)).toMatchObject(refusal(code));
  }
  expect(await write({ ...note, text: '😀'.repeat(2000) })).toMatchObject({ status: 201 });
  for (const [given, error] of [
    [{ text: '😀'.repeat(2001) }, 'Text too_long'],
    [{ text: ' ' }, 'Text required'],
    [{ subjectType: 'order' }, 'SubjectType not_allowed'],
  ] as const)
    expect(fieldErrorsOf(await write({ ...note, ...given }))).toEqual([error]);
});

test('stores at most 200 notes on a subject, also of notes at one time', async ({
  gateway: { sql },
  subjects: { offers },
  staff,
}) => {
  const { operator, write } = await staff();
  const subjectId = await offers.offerIn('Draft');
  await sql`
    insert into notes (id, subject_type, subject_id, operator_id, text)
    select gen_random_uuid(), 'offer', ${subjectId}, ${operator.id}, 'Known.'
    from generate_series(1, 198)`;
  const text = 'At one time.';
  const responses = await Promise.all(
    Array.from({ length: 4 }, () => write({ subjectType: 'offer', subjectId, text })),
  );
  const [limited, ...others] = responses.filter(({ status }) => status !== 201);
  expect(others).toHaveLength(1);
  for (const each of [limited, ...others])
    expect(each).toMatchObject(refusal('BUSINESS_NOTE_LIMIT', { maximum: 200 }));
});

test('logs a note by its own id, so that the log of an offer has decisions only', async ({
  gateway: { sql },
  subjects: { offers },
  staff,
}) => {
  const { operator, write } = await staff();
  const subjectId = await offers.offerIn('Rejected');
  const { payload } = await write({ subjectType: 'offer', subjectId, text: 'A note.' });
  const id = String(payload?.['id']);
  const entries = await sql`
    select action, subject_type, operator_id, before, after from audit_log
    where subject_id = ${id}`;
  const after = { subjectType: 'offer', subjectId };
  expect(entries).toEqual([
    { action: 'note.create', subjectType: 'note', operatorId: operator.id, before: null, after },
  ]);
  // The latest act on the offer is still the rejection, which can be taken back.
  const undone = await offers.decide(subjectId, 'undo', { expectedVersion: 1 });
  expect(undone).toMatchObject({ status: 200 });
});

test('shows a vendor nothing of a note', async ({ gateway, subjects: { offers }, staff }) => {
  const { write } = await staff();
  const subjectId = await offers.offerIn('PendingReview');
  const { token, vendorId } = offers.vendor;
  const text = 'Only for staff.';
  await write({ subjectType: 'offer', subjectId, text });
  await write({ subjectType: 'vendor', subjectId: vendorId, text });
  for (const path of [`scent/offers/${subjectId}`, 'scent/offers', 'vendor/profile', 'events'])
    expect((await call(gateway, 'GET', `/api/v1/${path}`, { token })).text).not.toContain(text);
});
