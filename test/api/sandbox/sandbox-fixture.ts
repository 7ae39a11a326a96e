import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { freeFormOffer, newVendor, type TestVendor } from '../../support/api/actors.ts';
import { call, textOf, type Answer, type Method } from '../../support/api/api.ts';

/** One vendor of a sandbox, and what it calls there. */
export type Sandbox = {
  readonly vendor: TestVendor;
  /** A call below `/api/v1/sandbox`. */
  readonly act: (path: string, body?: unknown, method?: Method) => Promise<Answer>;
  /** A call below `/api/v1/scent`. */
  readonly send: (method: Method, path: string, body?: unknown) => Promise<Answer>;
  /** The id of a new offer in PendingMatch. */
  readonly offer: (declared?: Readonly<Record<string, unknown>>) => Promise<string>;
  /** The id of a new shipment of one approved offer. */
  readonly shipment: () => Promise<string>;
};

/** Gives each test a vendor of its own, in one sandbox for a file. */
export const sandboxTest = gatewayTest
  .extend('overrides', { scope: 'file' }, { environment: 'Sandbox' })
  .extend('sandbox', async ({ gateway }): Promise<Sandbox> => {
    const vendor = await newVendor(gateway);
    const { token } = vendor;
    const act: Sandbox['act'] = (path, body, method = 'POST') =>
      call(gateway, method, `/api/v1/sandbox${path}`, { token, body });
    const send: Sandbox['send'] = (method, path, body) =>
      call(gateway, method, `/api/v1/scent${path}`, { token, body });
    const offer: Sandbox['offer'] = async (declared = {}) =>
      textOf(await send('POST', '/offers', { ...freeFormOffer, ...declared }), 'id');
    return {
      vendor,
      act,
      send,
      offer,
      shipment: async () => {
        await act(`/offers/${await offer()}/approve`);
        return textOf(await act('/orders'), 'groupId');
      },
    };
  });
