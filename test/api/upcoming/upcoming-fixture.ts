import { v7 as uuidv7 } from 'uuid';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { tokenWith } from '../../support/api/actors.ts';
import { call, itemsOf, type ApiResponse, type Gateway } from '../../support/api/api.ts';

/** A token of a vendor, from any fixture. */
export const tokenOf = (gateway: Pick<Gateway, 'sql' | 'dependencies'>, vendorId: string): string =>
  tokenWith(gateway, { vendorId, credentialId: uuidv7(), clientId: 'vc_test' }, capabilities);

export const readUpcoming = (
  gateway: Pick<Gateway, 'app'>,
  token: string,
  query = '',
): Promise<ApiResponse> =>
  call(gateway, 'GET', `/api/v1/upcoming?pageSize=100&${query}`, { token });

/** The listed events of one kind. */
export const upcomingOf = async (
  gateway: Pick<Gateway, 'app'>,
  token: string,
  kind: string,
): Promise<readonly Record<string, unknown>[]> =>
  itemsOf(await readUpcoming(gateway, token, `kind=${kind}`));
