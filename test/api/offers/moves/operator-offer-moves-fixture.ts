import { approvedOffer, succeeded, type Parties } from '../offer-record.ts';

export type Move = 'suspend' | 'reinstate';

export const move = (
  parties: Parties,
  id: string,
  action: Move,
  body: unknown = { reason: 'Recall.' },
) => parties.by('Reviewer', 'POST', `/offers/${id}/${action}`, body);

export async function suspendedOffer(
  parties: Parties,
  given: Readonly<Record<string, unknown>> = {},
) {
  const id = await approvedOffer(parties, given);
  succeeded(await move(parties, id, 'suspend'));
  return id;
}
