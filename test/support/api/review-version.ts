import { call, type Gateway } from './api.ts';

const needsVersion =
  /^\/operator\/v1\/offers\/([^/]+)\/(?:approve|return-to-review|pending-price\/apply)$/;

/**
 * The body of a reviewer's decision. One that requires an `expectedVersion` and has none gets the
 * offer's present `reviewVersion` (D83), as a reviewer reads it just before.
 */
export async function bodyOfDecision(
  gateway: Pick<Gateway, 'app'>,
  token: string,
  url: string,
  body?: unknown,
): Promise<unknown> {
  const [, id] = needsVersion.exec(url) ?? [];
  const isIncomplete =
    body === undefined ||
    (typeof body === 'object' && body !== null && !('expectedVersion' in body));
  if (id === undefined || !isIncomplete) return body;
  const { payload } = await call(gateway, 'GET', `/operator/v1/offers/${id}`, { token });
  return payload === null ? body : { ...body, expectedVersion: payload['reviewVersion'] };
}
