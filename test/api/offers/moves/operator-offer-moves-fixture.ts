import { approvedOffer, succeeded, type Cast } from '../offer-record.ts';

export type Move = 'suspend' | 'reinstate';

export const move = (cast: Cast, id: string, action: Move, body: unknown = { reason: 'Recall.' }) =>
  cast.by('Reviewer', 'POST', `/offers/${id}/${action}`, body);

export async function suspendedOffer(cast: Cast, given: Readonly<Record<string, unknown>> = {}) {
  const id = await approvedOffer(cast, given);
  succeeded(await move(cast, id, 'suspend'));
  return id;
}
