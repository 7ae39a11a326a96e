import { type OfferFixture } from '../offer-fixture.ts';
import { itemsOf, type Answer, type Gateway } from '../../support/api.ts';

export const idsOf = (answer: Answer) => itemsOf(answer).map(({ id }) => String(id));

export const list = ({ send }: OfferFixture, query = '') => send('GET', query);

export const listedIds = async (fixture: OfferFixture, query: Record<string, string>) =>
  idsOf(await list(fixture, `?${new URLSearchParams(query).toString()}`));

/** Offers whose creation and last change are at these minutes of one hour. */
export const at = (minute: number, micros = '000000') =>
  `2026-03-01T10:${String(minute).padStart(2, '0')}:00.${micros}Z`;

export async function datedOffers(
  gateway: Gateway,
  fixture: OfferFixture,
  minutes: readonly (readonly [created: number, changed: number])[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [created, changed] of minutes) {
    const id = await fixture.create();
    await gateway.sql`
      update offers set created_at = ${at(created)}::text::timestamptz,
        change_time = ${at(changed)}::text::timestamptz
      where id = ${id}`;
    ids.push(id);
  }
  return ids;
}
